//go:build linux

package linux_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

var _ ports.Reporter = (*linux.Journald)(nil)

// TestJournaldLogsEachStepOnce reports after each phase, as the service does.
func TestJournaldLogsEachStepOnce(t *testing.T) {
	var got []string
	j := linux.Journald{Send: func(message string, p journal.Priority, fields map[string]string) error {
		got = append(got, fmt.Sprintf("%d %s %s", p, message, fields["MACHINEADM_PHASE"]))
		if fields["SYSLOG_IDENTIFIER"] != "machineadm" {
			t.Errorf("there is no identifier in %v", fields)
		}
		return nil
	}}
	s := status.Status{State: status.StateRunning, Steps: []status.Step{
		{Phase: document.PhaseFile, Action: "write /a", Outcome: status.OutcomePending},
		{Phase: document.PhaseJoin, Action: "run join", Outcome: status.OutcomePending},
	}}
	report := func() {
		t.Helper()
		if err := j.Report(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	report()
	s.Steps[0].Outcome = status.OutcomeChanged
	report()
	report()
	s.Steps[1].Outcome, s.State, s.Ended = status.OutcomeFailed, status.StateFailed, time.Unix(1, 0)
	s.Failure = &status.Failure{Phase: document.PhaseJoin, Cause: "no token", ExitCode: 1}
	report()
	want := []string{
		"6 write /a: Changed file", "6 run join: Failed join",
		"3 the bootstrap failed in phase join: no token join",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
