package reports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/reports"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
)

func TestJudge(t *testing.T) {
	published := time.Unix(1_800_000_000, 0)
	at := func(after time.Duration, change func(*reports.Observation)) reports.Observation {
		e := reports.Observation{Published: published, Deadline: 20 * time.Minute, Now: published.Add(after)}
		change(&e)
		return e
	}
	report := func(s status.Status) func(*reports.Observation) {
		return func(e *reports.Observation) { e.Report = &s }
	}
	failure := status.Status{State: status.StateFailed, Failure: &status.Failure{
		Phase: document.PhaseJoin, Document: "spec.node", Action: "run kubeadm join", ExitCode: 1, Cause: "the token is gone",
	}}
	running := status.Status{State: status.StateRunning, Progress: status.Progress{
		Steps: 7, Done: 3,
		Phase: document.PhasePre,
	}}
	const minute = time.Minute
	cases := map[string]struct {
		reason string
		given  reports.Observation
		want   reports.Result
	}{
		"new": {
			reason: "it has time", given: at(5*minute, func(*reports.Observation) {}),
			want: reports.Result{Reason: "WaitingForReport", Message: "the machine has not reported yet", Next: 15 * minute},
		},
		"running": {
			reason: "it reports its progress", given: at(minute, report(running)),
			want: reports.Result{Reason: "Running", Message: "3 of 7 steps are done, in phase pre", Next: 19 * minute},
		},
		"succeeded": {
			reason: "it reports that", given: at(40*minute, report(status.Status{State: status.StateSucceeded})),
			want: reports.Result{Succeeded: reports.StatusTrue, Reason: "Succeeded"},
		},
		"joined": {
			reason: "the node shows it", given: at(40*minute, func(e *reports.Observation) { e.Joined = true }),
			want: reports.Result{Succeeded: reports.StatusTrue, Reason: "NodeJoined"},
		},
		"failed": {
			reason: "the whole cause", given: at(minute, report(failure)),
			want: reports.Result{
				Succeeded: reports.StatusFalse, Reason: "JoinFailed",
				Message: "phase join: run kubeadm join (spec.node): exit code 1: the token is gone",
			},
		},
		"failed after it joined": {
			reason: "the commands after that have failed", given: at(minute, func(e *reports.Observation) {
				e.Joined = true
				report(failure)(e)
			}),
			want: reports.Result{
				Succeeded: reports.StatusFalse, Reason: "JoinFailed",
				Message: "phase join: run kubeadm join (spec.node): exit code 1: the token is gone",
			},
		},
		"at the start": {
			reason: "the configuration is at fault", given: at(minute,
				report(status.Status{State: status.StateFailed, Failure: &status.Failure{Cause: "mistakes"}})),
			want: reports.Result{Succeeded: reports.StatusFalse, Reason: "StartFailed", Message: "phase start: mistakes"},
		},
		"late": {
			reason: "the message names what to look at", given: at(20*minute, func(*reports.Observation) {}),
			want: reports.Result{
				Succeeded: reports.StatusFalse, Reason: "DeadlineExceeded",
				Message: "the machine has not joined within 20m0s of its data being published, and " +
					"it has not reported: look at its console, its infrastructure object, and whether it reaches the endpoint",
			},
		},
		"stuck": {
			reason: "the message contains its last step", given: at(21*minute, report(running)),
			want: reports.Result{
				Succeeded: reports.StatusFalse, Reason: "DeadlineExceeded",
				Message: "the machine has not joined within 20m0s of its data being published, and " +
					"last reported: 3 of 7 steps are done, in phase pre",
			},
		},
		"no deadline": {
			reason: "it may take as long as it wants", given: at(99*time.Hour, func(e *reports.Observation) { e.Deadline = 0 }),
			want: reports.Result{Reason: "WaitingForReport", Message: "the machine has not reported yet"},
		},
		"pool": {
			reason: "others of the pool may come yet", given: at(99*time.Hour, func(e *reports.Observation) {
				e.Pool,
					e.Joined = true, true
			}),
			want: reports.Result{Reason: "WaitingForReport", Message: "the machine has not reported yet"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, reports.Evaluate(c.given)); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

func TestExitCodeIsReportedOnce(t *testing.T) {
	f := status.Status{State: status.StateFailed, Failure: &status.Failure{ExitCode: 3, Cause: "sh: exit code 3: no"}}
	if got := reports.Evaluate(reports.Observation{Report: &f}).Message; strings.Count(got, "exit code") != 1 {
		t.Error(got)
	}
}
