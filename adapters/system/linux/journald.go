//go:build linux

package linux

import (
	"context"
	"strconv"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/machineadm/machineadm/domain/status"
)

// Journald logs each step and the result to the systemd journal. The fields MACHINEADM_PHASE, MACHINEADM_OUTCOME,
// MACHINEADM_STATE and so on can be matched with journalctl(1). It implements ports.Reporter.
type Journald struct {
	// Send sends an entry; nil sends it to the journal of this machine.
	Send func(message string, priority journal.Priority, fields map[string]string) error
	// The number of steps that are already logged.
	logged int
}

// Report logs the steps that are new in the status.
func (j *Journald) Report(_ context.Context, s status.Status) error {
	for ; j.logged < len(s.Steps) && s.Steps[j.logged].Outcome != status.OutcomePending; j.logged++ {
		if err := j.step(s.Steps[j.logged]); err != nil {
			return err
		}
	}
	if s.Ended.IsZero() {
		return nil
	}
	fields := map[string]string{
		"MACHINEADM_STATE": string(s.State), "MACHINEADM_CHANGES": strconv.Itoa(s.Changes()),
		"MACHINEADM_CONFIGURATION": s.Digest,
	}
	if s.Failure == nil {
		return j.send("the bootstrap has ended: "+string(s.State), journal.PriNotice, fields)
	}
	fields["MACHINEADM_PHASE"], fields["MACHINEADM_DOCUMENT"] = s.Failure.PhaseName(), s.Failure.Document
	fields["MACHINEADM_ACTION"], fields["MACHINEADM_EXIT_CODE"] = s.Failure.Action, strconv.Itoa(s.Failure.ExitCode)
	return j.send("the bootstrap failed in phase "+s.Failure.PhaseName()+": "+s.Failure.Cause, journal.PriErr, fields)
}

func (j *Journald) step(s status.Step) error {
	priority := journal.PriInfo
	if s.Outcome == status.OutcomeUnchanged || s.Outcome == status.OutcomeSkipped {
		priority = journal.PriDebug
	}
	return j.send(s.Action+": "+string(s.Outcome), priority, map[string]string{
		"MACHINEADM_PHASE": s.Phase.String(), "MACHINEADM_DOCUMENT": s.Document, "MACHINEADM_ACTION": s.Action,
		"MACHINEADM_OUTCOME": string(s.Outcome), "MACHINEADM_MILLISECONDS": strconv.FormatInt(s.Took.Milliseconds(), 10),
	})
}

func (j *Journald) send(message string, priority journal.Priority, fields map[string]string) error {
	fields["SYSLOG_IDENTIFIER"] = "machineadm"
	if j.Send != nil {
		return j.Send(message, priority, fields)
	}
	return journal.Send(message, priority, fields)
}
