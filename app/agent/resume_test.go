package agent_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// powerless is the journal of a machine whose power fails during a command.
type powerless struct {
	memory.Journal
	at  string
	off bool
}

func (c *powerless) Append(ctx context.Context, entries ...journal.Entry) error {
	if c.off {
		return errDisk
	}
	e := entries[len(entries)-1]
	c.off = c.at != "" && e.Event == journal.EventStarted && e.Summary == "run "+c.at
	return c.Journal.Append(ctx, entries...)
}

// bootable is a configuration with a command of each kind.
func bootable() []document.Value {
	return []document.Value{
		machine.Command{Phase: document.PhaseBoot, Script: "boot"},
		machine.Command{Phase: document.PhasePre, Script: "pre"},
		machine.SysctlConfig{},
	}
}

func TestResumptionIsEnabled(t *testing.T) {
	later := []string{"/usr/bin/machineadm", "apply", "--resume"}
	cases := map[string]struct {
		reason  string
		request agent.Request
		want    []string
	}{
		"apply":   {"it may be cut off", agent.Request{ResumeCommand: later}, later},
		"prepare": {"no machine is provisioned", agent.Request{ResumeCommand: later, Mode: agent.Prepare}, nil},
		"a phase": {
			"a user does it by hand",
			agent.Request{ResumeCommand: later, Only: []document.Phase{document.PhasePre}},
			nil,
		},
		"unknown": {"the program's path is unknown", agent.Request{}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, r := newWorld(codec{"c": bootable()}), &memory.Resumption{}
			s := w.service(t)
			s.Resumption = r
			c.request.Data = []byte("c")
			if _, _, err := s.Apply(t.Context(), c.request); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, r.Argv); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
			if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil || r.Argv != nil {
				t.Errorf("after a reset: %v, %q", err, r.Argv)
			}
		})
	}
}

func TestNothingStartsWithoutResumption(t *testing.T) {
	w, r := newWorld(codec{"c": bootable()}), &memory.Resumption{Err: errDisk}
	s := w.service(t)
	s.Resumption = r
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), ResumeCommand: []string{"x"}})
	if !errors.Is(err, errDisk) || got.State != status.StateFailed || len(w.host.Ran) > 0 {
		t.Errorf("%v, %s, ran %q", err, got.State, w.host.Ran)
	}
}

// TestFailureIsNotRepeated reboots a machine whose kubeadm failed: the failure is reported again, and nothing runs
// until a user starts another run.
func TestFailureIsNotRepeated(t *testing.T) {
	w := newWorld(codec{"c": bootable()})
	w.host.Fail["join"] = &ports.CommandError{Name: "join", ExitCode: 1, Output: []byte("no such token")}
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, agent.ErrStep) {
		t.Fatal(err)
	}
	ran := slices.Clone(w.host.Ran)
	delete(w.host.Fail, "join")
	for range 2 {
		got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
		if !errors.Is(err, agent.ErrEarlierFailure) || got.State != status.StateFailed || !got.Again ||
			got.Failure.Cause != "join: exit code 1: no such token" {
			t.Errorf("the next boot: %v, %+v", err, got)
		}
		if got.Failure.Phase != document.PhaseJoin || got.Failure.Document != "documents[2]" ||
			got.Failure.Action != "run join" {
			t.Errorf("the next boot: %+v", got.Failure)
		}
	}
	if diff := cmp.Diff(ran, w.host.Ran); diff != "" {
		t.Errorf("the next boot ran something: %s", diff)
	}
	if got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil ||
		got.State != status.StateSucceeded {
		t.Errorf("asked for, it goes on: %v, %s", err, got.State)
	}
}

// TestCutOffRunGoesOn reboots a machine after a power failure: only the commands of each boot are repeated, and an
// interrupted kubeadm fails at every boot.
func TestCutOffRunGoesOn(t *testing.T) {
	cases := map[string]struct {
		reason string
		at     string
		want   []string
		state  status.State
	}{
		"pre": {
			"it ran in part, and runs again", "pre",
			[]string{"boot", "pre", "boot", "pre", "join", "annotate"},
			status.StateSucceeded,
		},
		"join": {"what it left is unknown", "join", []string{"boot", "pre", "join", "boot"}, status.StateFailed},
		"annotate": {
			"kubeadm is complete", "annotate",
			[]string{"boot", "pre", "join", "annotate", "boot", "annotate"},
			status.StateSucceeded,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": append(bootable()[:2], machine.KernelModulesConfig{})})
			power := &powerless{at: c.at}
			w.journal = power
			s := w.service(t)
			if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err == nil {
				t.Fatal("it was not cut off")
			}
			power.at, power.off = "", false
			got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
			if diff := cmp.Diff(c.want, w.host.Ran); diff != "" || got.State != c.state ||
				(err == nil) != (c.state == status.StateSucceeded) {
				t.Errorf("%s: %v, %s: %s", c.reason, err, got.State, diff)
			}
		})
	}
}

// jumping is a clock that is set back by a year and forward by two in turn, at each call.
type jumping struct{ looks int }

func (j *jumping) Now() time.Time {
	j.looks++
	return time.Date(2026-j.looks%2+j.looks%3, 11, 1, 0, 0, 0, 0, time.UTC)
}

// TestClockJumps changes the clock during a run, as a time daemon does: the steps and their order do not depend on it,
// and an interrupted run continues.
func TestClockJumps(t *testing.T) {
	w := newWorld(codec{"c": full()})
	power := &powerless{at: "before"}
	w.journal = power
	s := w.service(t)
	s.Clock = &jumping{}
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err == nil {
		t.Fatal("it was not cut off")
	}
	power.at, power.off = "", false
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
	if err != nil || got.State != status.StateSucceeded {
		t.Fatalf("%v, %s", err, got.State)
	}
	if diff := cmp.Diff([]string{"before", "before", "join", "after"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
	for _, step := range got.Steps {
		if step.Took < 0 {
			t.Errorf("%s took %s", step.Action, step.Took)
		}
	}
	if again, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil || !again.Again {
		t.Errorf("again: %v, %+v", err, again)
	}
}
