// Package status describes the bootstrap of a machine: its state, its steps and its failure.
package status

import (
	"time"

	"github.com/machineadm/machineadm/domain/document"
)

// State is the state of a bootstrap.
type State string

// The states.
const (
	StateRunning   State = "Running"
	StatePrepared  State = "Prepared"
	StateSucceeded State = "Succeeded"
	StateFailed    State = "Failed"
	// StateReset is never published: it withdraws the status of a machine that is being reset.
	StateReset State = "Reset"
)

// Status is the state of a bootstrap and its history. It contains no secret.
type Status struct {
	State State
	// Again reports that this run did nothing, because the bootstrap had completed or failed before.
	Again bool
	// Version is the version of the agent.
	Version string
	// Digest is the SHA-256 of the configuration in hexadecimal.
	Digest string
	// Started and Ended are the times of the run by the machine's clock. Ended is zero while it runs; both are zero if
	// they are not known.
	Started, Ended time.Time
	// Steps are in the order in which they are applied. In a summary Progress replaces them.
	Steps    []Step
	Progress Progress
	// Failure is set if State is StateFailed.
	Failure *Failure
}

// Progress summarises steps.
type Progress struct {
	// Steps is the number of steps, and Done the number of those that have ended.
	Steps, Done int
	// Phase is that of the first step that has not ended; 0 if there is none.
	Phase document.Phase
}

// Outcome is the result of a step.
type Outcome string

// The outcomes.
const (
	OutcomePending   Outcome = "Pending"
	OutcomeChanged   Outcome = "Changed"
	OutcomeUnchanged Outcome = "Unchanged"
	OutcomeSkipped   Outcome = "Skipped"
	OutcomeFailed    Outcome = "Failed"
)

// Step is one action.
type Step struct {
	Phase document.Phase
	// Document is the path of the document. Action describes the operation on one line.
	Document, Action string
	Outcome          Outcome
	Took             time.Duration
}

// Failure is the cause of a failed bootstrap, and its place.
type Failure struct {
	Phase document.Phase
	// Document and Action name the step. Both are empty if no step failed, but the configuration is invalid.
	Document, Action string
	// ExitCode is the exit code of a failed command; 0 if no command failed.
	ExitCode int
	// Cause is one line.
	Cause string
	// Log is the end of the output of the step, redacted.
	Log string
}

// PhaseStart is the name of the stage before the first phase, in which the configuration is read and planned.
const PhaseStart = "start"

// PhaseName returns the name of the phase, or PhaseStart.
func (f Failure) PhaseName() string {
	if f.Phase == 0 {
		return PhaseStart
	}
	return f.Phase.String()
}

// Changes returns how many steps changed something.
func (s Status) Changes() int {
	n := 0
	for _, step := range s.Steps {
		if step.Outcome == OutcomeChanged {
			n++
		}
	}
	return n
}
