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
	at := func(after time.Duration, change func(*reports.Evidence)) reports.Evidence {
		e := reports.Evidence{Published: published, Deadline: 20 * time.Minute, Now: published.Add(after)}
		change(&e)
		return e
	}
	report := func(s status.Status) func(*reports.Evidence) { return func(e *reports.Evidence) { e.Report = &s } }
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
		given  reports.Evidence
		want   reports.Verdict
	}{
		"new": {
			reason: "it has time", given: at(5*minute, func(*reports.Evidence) {}),
			want: reports.Verdict{Reason: "WaitingForReport", Message: "the machine has not reported yet", Next: 15 * minute},
		},
		"running": {
			reason: "it reports its progress", given: at(minute, report(running)),
			want: reports.Verdict{Reason: "Running", Message: "3 of 7 steps are done, in phase pre", Next: 19 * minute},
		},
		"succeeded": {
			reason: "it reports that", given: at(40*minute, report(status.Status{State: status.StateSucceeded})),
			want: reports.Verdict{Succeeded: reports.Yes, Reason: "Succeeded"},
		},
		"joined": {
			reason: "the node shows it", given: at(40*minute, func(e *reports.Evidence) { e.Joined = true }),
			want: reports.Verdict{Succeeded: reports.Yes, Reason: "NodeJoined"},
		},
		"failed": {
			reason: "the whole cause", given: at(minute, report(failure)),
			want: reports.Verdict{
				Succeeded: reports.No, Reason: "JoinFailed",
				Message: "phase join: run kubeadm join (spec.node): exit code 1: the token is gone",
			},
		},
		"failed after it joined": {
			reason: "the commands after that have failed", given: at(minute, func(e *reports.Evidence) {
				e.Joined = true
				report(failure)(e)
			}),
			want: reports.Verdict{
				Succeeded: reports.No, Reason: "JoinFailed",
				Message: "phase join: run kubeadm join (spec.node): exit code 1: the token is gone",
			},
		},
		"at the start": {
			reason: "the configuration is at fault", given: at(minute,
				report(status.Status{State: status.StateFailed, Failure: &status.Failure{Cause: "mistakes"}})),
			want: reports.Verdict{Succeeded: reports.No, Reason: "StartFailed", Message: "phase start: mistakes"},
		},
		"late": {
			reason: "the message names what to look at", given: at(20*minute, func(*reports.Evidence) {}),
			want: reports.Verdict{
				Succeeded: reports.No, Reason: "DeadlineExceeded",
				Message: "the machine has not joined within 20m0s of its data being published, and " +
					"it has not reported: look at its console, its infrastructure object, and whether it reaches the endpoint",
			},
		},
		"stuck": {
			reason: "the message contains its last step", given: at(21*minute, report(running)),
			want: reports.Verdict{
				Succeeded: reports.No, Reason: "DeadlineExceeded",
				Message: "the machine has not joined within 20m0s of its data being published, and " +
					"last reported: 3 of 7 steps are done, in phase pre",
			},
		},
		"no deadline": {
			reason: "it may take as long as it wants", given: at(99*time.Hour, func(e *reports.Evidence) { e.Deadline = 0 }),
			want: reports.Verdict{Reason: "WaitingForReport", Message: "the machine has not reported yet"},
		},
		"pool": {
			reason: "others of the pool may come yet", given: at(99*time.Hour, func(e *reports.Evidence) {
				e.Pool,
					e.Joined = true, true
			}),
			want: reports.Verdict{Reason: "WaitingForReport", Message: "the machine has not reported yet"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, reports.Judge(c.given)); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

func TestExitCodeIsReportedOnce(t *testing.T) {
	f := status.Status{State: status.StateFailed, Failure: &status.Failure{ExitCode: 3, Cause: "sh: exit code 3: no"}}
	if got := reports.Judge(reports.Evidence{Report: &f}).Message; strings.Count(got, "exit code") != 1 {
		t.Error(got)
	}
}
