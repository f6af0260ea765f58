package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// shutting is a machine that shuts down during a command.
type shutting struct {
	*memory.Host
	at string
	// stop cancels the agent's context.
	stop func()
	// alone makes the command end before the agent is signalled. Service managers signal all programs at once, in any
	// order.
	alone bool
}

func (s shutting) Apply(ctx context.Context, op action.Operation, o journal.Original) error {
	c, ok := op.(action.RunCommand)
	if !ok || c.Name != s.at {
		return s.Host.Apply(ctx, op, o)
	}
	s.Ran = append(s.Ran, c.Script)
	if s.alone {
		time.AfterFunc(time.Millisecond, s.stop)
		return &ports.CommandError{Name: c.Name, ExitCode: -1}
	}
	s.stop()
	return fmt.Errorf("%s: %w", c.Name, context.Cause(ctx))
}

// TestShutdownIsNoFailure shuts the machine down during a command: no failure is reported, and the next boot continues
// as after a power cut.
func TestShutdownIsNoFailure(t *testing.T) {
	cases := map[string]struct {
		reason string
		at     string
		alone  bool
		want   []string
		state  status.State
	}{
		"pre": {
			"it ran in part, and runs again", "pre", false,
			[]string{"boot", "pre", "boot", "pre", "join"},
			status.StateSucceeded,
		},
		"pre, all at once": {"the command does not end because it failed", "pre", true, []string{
			"boot", "pre", "boot", "pre",
			"join",
		}, status.StateSucceeded},
		"join": {
			"what it left is unknown", "join", false,
			[]string{"boot", "pre", "join", "boot"},
			status.StateFailed,
		},
		"join, all at once": {
			"what it left is unknown", "join", true, []string{"boot", "pre", "join", "boot"}, status.StateFailed,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": bootable()})
			w.shutDown(t, c.at, c.alone)
			got, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
			if diff := cmp.Diff(c.want, w.host.Ran); diff != "" || got.State != c.state ||
				(err == nil) != (c.state == status.StateSucceeded) {
				t.Errorf("%s: %v, %s: %s", c.reason, err, got.State, diff)
			}
			if c.state == status.StateFailed && got.Failure.Cause != "an earlier run was interrupted here; reset "+
				"the machine, or replace it" {
				t.Errorf("%s: %+v", c.reason, got.Failure)
			}
		})
	}
}

// shutDown applies the configuration on a machine that shuts down during the command, and verifies the published
// status.
func (w *world) shutDown(t *testing.T, at string, alone bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	host := shutting{Host: w.host, at: at, stop: stop, alone: alone}
	s := w.with(t, host)
	var shown []status.Outcome
	s.Progress = func(step status.Step) { shown = append(shown, step.Outcome) }
	got, _, err := s.Apply(ctx, agent.Request{Data: []byte("c")})
	if !errors.Is(err, agent.ErrStopped) || errors.Is(err, agent.ErrStep) || got.State != status.StateRunning ||
		got.Failure != nil {
		t.Fatalf("%v, %+v", err, got)
	}
	for _, reported := range append(w.published, got) {
		if reported.State != status.StateRunning || reported.Failure != nil {
			t.Errorf("published %+v", reported)
		}
	}
	past, err := w.journal.Load(t.Context())
	if _, failed := past.Failed(); failed || err != nil {
		t.Errorf("the journal: %v, %+v", err, past)
	}
	for _, outcome := range shown {
		if outcome == status.OutcomeFailed {
			t.Errorf("shown as failed: %v", shown)
		}
	}
}

// TestStoppedBeforeItBegins shuts the machine down before a step: nothing is changed, and nothing fails.
func TestStoppedBeforeItBegins(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name, configurations := range map[string]codec{"planned": {"c": full()}, "not even read": {}} {
		w := newWorld(configurations)
		got, _, err := w.service(t).Apply(ctx, agent.Request{Data: []byte("c")})
		if !errors.Is(err, agent.ErrStopped) || got.State != status.StateRunning || len(w.host.Files)+len(w.host.Ran) > 0 {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

// away is a source without a result: it blocks until the machine shuts down, or it fails.
type away struct {
	stop      func()
	requested int
}

func (a *away) Fetch(ctx context.Context, _ indirect.RemoteConfig) ([]byte, error) {
	a.requested++
	if a.stop == nil {
		return nil, errAway
	}
	a.stop()
	<-ctx.Done()
	return nil, ctx.Err()
}

var errAway = errors.New("the server is away")

// fetched returns a configuration that has to be fetched.
func fetched() codec {
	return codec{"c": {indirect.RemoteConfig{Provider: "test", URI: "d"}}, "d": bootable()}
}

// TestStoppedWhileItFetches shuts the machine down before the steps are known: the next boot continues. The error
// promises that only if a later boot does so.
func TestStoppedWhileItFetches(t *testing.T) {
	later := []string{"/usr/bin/machineadm", "apply", "--resume"}
	cases := map[string]struct {
		reason  string
		request agent.Request
		armed   bool
	}{
		"whole":   {"all of it is to be carried out", agent.Request{ResumeCommand: later}, true},
		"input":   {"what came by standard input is gone, and a tree does not boot", agent.Request{}, false},
		"prepare": {"no machine is provisioned", agent.Request{ResumeCommand: later, Mode: agent.Prepare}, false},
		"a phase": {
			"a user does it by hand",
			agent.Request{ResumeCommand: later, Only: []document.Phase{document.PhasePre}},
			false,
		},
		"no join": {
			"a user does it by hand",
			agent.Request{ResumeCommand: later, Skip: []document.Phase{document.PhaseJoin}},
			false,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			w, r := newWorld(fetched()), &memory.Resumption{}
			s := w.service(t)
			s.Resumption, s.Source = r, &away{stop: stop}
			c.request.Data = []byte("c")
			got, _, err := s.Apply(ctx, c.request)
			if !errors.Is(err, agent.ErrStopped) || strings.Contains(err.Error(), "next boot") != c.armed ||
				(r.Argv != nil) != c.armed || got.Failure != nil {
				t.Fatalf("%s: %v, armed with %q, %+v", c.reason, err, r.Argv, got)
			}
			s.Source = w
			got, _, err = s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true, ResumeCommand: later})
			if err != nil || got.State != status.StateSucceeded {
				t.Errorf("%s: the next boot: %v, %+v", c.reason, err, got)
			}
		})
	}
}

// TestPlanThatFailedIsNotRepeated reboots a machine whose configuration cannot be fetched or is invalid: later boots
// report the failure again and fetch nothing, and a new run tries again.
func TestPlanThatFailedIsNotRepeated(t *testing.T) {
	cases := map[string]struct {
		reason string
		source *away
		values codec
		cause  string
	}{
		"away": {"it could not be fetched", &away{}, fetched(), "documents[0]: " + errAway.Error()},
		"mistake": {
			"there is no such document", nil,
			codec{},
			"the configuration has mistakes: error: no such configuration",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, r := newWorld(c.values), &memory.Resumption{}
			s := w.service(t)
			s.Resumption = r
			if c.source != nil {
				s.Source = c.source
			}
			request := agent.Request{Data: []byte("c"), ResumeCommand: []string{"x"}}
			if got, _, err := s.Apply(t.Context(), request); err == nil || got.State != status.StateFailed ||
				got.Failure.Cause != c.cause || r.Argv == nil {
				t.Fatalf("%s: %v, %+v, armed with %q", c.reason, err, got.Failure, r.Argv)
			}
			s.Source, w.codec["c"] = w, bootable()
			request.Resume = true
			for range 2 {
				got, _, err := s.Apply(t.Context(), request)
				if !errors.Is(err, agent.ErrEarlierFailure) || !got.Again || got.Failure.Cause != c.cause ||
					got.Failure.PhaseName() != "start" || len(w.host.Ran) > 0 {
					t.Errorf("%s: a later boot: %v, %+v, ran %q", c.reason, err, got.Failure, w.host.Ran)
				}
			}
			request.Resume = false
			if got, _, err := s.Apply(t.Context(), request); err != nil || got.State != status.StateSucceeded {
				t.Errorf("%s: asked for: %v, %+v", c.reason, err, got.Failure)
			}
		})
	}
}

// TestMissingConfigurationIsNotARun starts the agent on a machine without a configuration, as an image may do at each
// boot: it fails until there is one.
func TestMissingConfigurationIsNotARun(t *testing.T) {
	w, r := newWorld(codec{"": nil, "c": bootable()}), &memory.Resumption{}
	s := w.service(t)
	s.Resumption = r
	if _, _, err := s.Apply(t.Context(), agent.Request{Resume: true, ResumeCommand: []string{"x"}}); !errors.Is(err,
		agent.ErrFindings) || r.Argv != nil {
		t.Errorf("%v, armed with %q", err, r.Argv)
	}
	if got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true}); err != nil ||
		got.State != status.StateSucceeded {
		t.Errorf("%v, %+v", err, got.Failure)
	}
}

// TestKilledCommandIsAFailure ends a command by a signal while the machine keeps running, as the OOM killer does.
func TestKilledCommandIsAFailure(t *testing.T) {
	w := newWorld(codec{"c": bootable()})
	w.host.Fail["pre"] = &ports.CommandError{Name: "pre", ExitCode: -1}
	if _, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, agent.ErrStep) ||
		w.last().State != status.StateFailed {
		t.Errorf("%v, %s", err, w.last().State)
	}
}
