package status_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
)

func moment(seconds int) time.Time { return time.Unix(1_800_000_000+int64(seconds), 999).UTC() }

func TestSummarize(t *testing.T) {
	s := status.Status{
		State: status.StateFailed, Version: "v1\x1b[31m", Started: moment(0), Ended: moment(2),
		Steps: []status.Step{
			{Phase: document.PhaseFile, Outcome: status.OutcomeChanged},
			{Phase: document.PhaseJoin, Outcome: status.OutcomeFailed},
			{Phase: document.PhasePost, Outcome: status.OutcomePending},
		},
		Failure: &status.Failure{
			Phase: document.PhaseJoin, Document: "spec.node", Action: "run kubeadm\njoin", ExitCode: 1,
			Cause: strings.Repeat("é", 600), Log: strings.Repeat("x", 5000) + "\x00\u202e\ntoken abcdef.0123456789abcdef\n",
		},
	}
	want := status.Status{
		State: status.StateFailed, Version: "v1[31m", Started: moment(0).Truncate(time.Second),
		Ended:    moment(2).Truncate(time.Second),
		Progress: status.Progress{Steps: 3, Done: 2, Phase: document.PhasePost},
		Failure: &status.Failure{
			Phase: document.PhaseJoin, Document: "spec.node", Action: "run kubeadm: join", ExitCode: 1,
			Cause: strings.Repeat("é", 256),
			Log:   strings.Repeat("x", 4096-len("\ntoken [redacted]")) + "\ntoken [redacted]",
		},
	}
	if diff := cmp.Diff(want, s.Summarize()); diff != "" {
		t.Error(diff)
	}
}

func TestTheCauseIsTheLastLineOfTheLog(t *testing.T) {
	s := status.Status{State: status.StateFailed, Failure: &status.Failure{Log: "first\nsecond\nit is broken\n\n"}}
	if got := s.Summarize().Failure.Cause; got != "it is broken" {
		t.Errorf("got %q", got)
	}
}

func TestFollows(t *testing.T) {
	running := status.Status{State: status.StateRunning, Started: moment(0), Progress: status.Progress{Steps: 5, Done: 1}}
	failed := status.Status{State: status.StateFailed, Started: moment(0)}
	cases := map[string]struct {
		reason    string
		now, last status.Status
		want      bool
	}{
		"progress": {reason: "more steps are over", now: status.Status{
			State: status.StateRunning, Started: moment(0),
			Progress: status.Progress{Steps: 5, Done: 2},
		}, last: running, want: true},
		"replay":  {reason: "it was reported", now: running, last: running},
		"failure": {reason: "the run ends", now: failed, last: running, want: true},
		"late":    {reason: "the run is over", now: running, last: failed},
		"again": {
			reason: "a later run", now: status.Status{State: status.StateRunning, Started: moment(9)},
			last: failed, want: true,
		},
		"old": {reason: "an earlier run", now: running, last: status.Status{
			State:   status.StateRunning,
			Started: moment(9),
		}},
		"failure, clock": {reason: "the clock was put back", now: failed, last: status.Status{
			State:   status.StateRunning,
			Started: moment(9),
		}, want: true},
		"program": {
			reason: "the agent was killed, and the program that started it reports",
			now:    status.Status{State: status.StateFailed}, last: running, want: true,
		},
		"program, later": {
			reason: "the agent's status is more detailed",
			now:    status.Status{State: status.StateFailed}, last: failed,
		},
		"clock": {reason: "the clock was put back", now: status.Status{
			State:   status.StateSucceeded,
			Started: moment(-9),
		}, last: failed, want: true},
		"success again": {
			reason: "it was reported", now: status.Status{State: status.StateSucceeded},
			last: status.Status{State: status.StateSucceeded},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.now.Follows(c.last); got != c.want {
				t.Errorf("%s: %v", c.reason, got)
			}
		})
	}
}
