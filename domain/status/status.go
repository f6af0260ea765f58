// Package status tells how the bootstrap of a machine went: what the agent publishes on the machine and hands to
// reporters.
package status

import (
	"time"

	"github.com/machineadm/machineadm/domain/document"
)

// State is where a bootstrap stands.
type State string

// The states.
const (
	StateRunning   State = "Running"
	StatePrepared  State = "Prepared"
	StateSucceeded State = "Succeeded"
	StateFailed    State = "Failed"
	// StateReset is never told: what was done is about to be undone, and nothing shall say any more that it was.
	StateReset State = "Reset"
)

// Status is where a bootstrap stands and how it got there. It holds no secret.
type Status struct {
	State State
	// Again says that the machine was complete before this run, or had failed, and that this run did nothing: the story is
	// that of an earlier one.
	Again bool
	// Version is the agent's own.
	Version string
	// Digest is the SHA-256 of the configuration in hexadecimal.
	Digest string
	// Started and Ended are the times of the run; Ended is zero while it runs.
	Started, Ended time.Time
	// Steps are in the order in which they are carried out.
	Steps []Step
	// Failure is set if State is StateFailed.
	Failure *Failure
}

// Outcome is what became of a step.
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
	// Document is the path of the document; Action says on one line what is done.
	Document, Action string
	Outcome          Outcome
	Took             time.Duration
}

// Failure says what went wrong and where.
type Failure struct {
	Phase document.Phase
	// Document and Action name the step; both are empty if the configuration itself is at fault.
	Document, Action string
	// ExitCode is a command's; 0 if no command failed.
	ExitCode int
	// Cause is one line.
	Cause string
	// Log is the end of what the step printed, redacted.
	Log string
}

// PhaseStart is the name of what comes before the first phase: the configuration is read and planned.
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
