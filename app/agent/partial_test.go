package agent_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// only returns a request for one phase.
func only(data string, p document.Phase) agent.Request {
	return agent.Request{Data: []byte(data), Only: []document.Phase{p}}
}

// TestPartialRunHidesNoFailure runs a phase manually on a machine that failed to join: the published status does not
// change, later boots repeat nothing, and a full run tries again.
func TestPartialRunHidesNoFailure(t *testing.T) {
	cases := map[string]struct {
		reason  string
		request agent.Request
		err     error
	}{
		"a phase":          {"it went well", only("c", document.PhasePre), nil},
		"a phase, in vain": {"it failed itself, of another cause", only("post", document.PhasePost), agent.ErrStep},
		"a mistake":        {"there was nothing to carry out", only("no such", document.PhasePre), agent.ErrFindings},
		"preparation":      {"it has an end of its own", agent.Request{Data: []byte("c"), Mode: agent.Prepare}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": bootable(), "post": full()})
			for _, command := range []string{"join", "after"} {
				w.host.Fail[command] = &ports.CommandError{Name: command, ExitCode: 1}
			}
			s := w.service(t)
			if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, agent.ErrStep) {
				t.Fatal(err)
			}
			reported := len(w.published)
			if _, _, err := s.Apply(t.Context(), c.request); !errors.Is(err, c.err) || len(w.published) != reported {
				t.Errorf("%s: %v, and published is %+v", c.reason, err, w.published[reported:])
			}
			clear(w.host.Fail)
			w.host.Ran = nil
			got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
			if !errors.Is(err, agent.ErrEarlierFailure) || got.Failure.Cause != "join: exit code 1" ||
				w.last().State != status.StateFailed || len(w.host.Ran) > 0 {
				t.Errorf("%s: the next boot: %v, %+v, ran %q", c.reason, err, got.Failure, w.host.Ran)
			}
			// No phase is skipped, so the run is a full one.
			all := agent.Request{Data: []byte("c"), Skip: []document.Phase{document.PhaseDisk}}
			if got, _, err := s.Apply(t.Context(), all); err != nil || got.State != status.StateSucceeded ||
				w.last().State != status.StateSucceeded {
				t.Errorf("%s: asked for: %v, %+v", c.reason, err, got)
			}
		})
	}
}

// TestPartialRunHidesNoPartialJoin runs a phase manually on a machine whose kubeadm was interrupted.
func TestPartialRunHidesNoPartialJoin(t *testing.T) {
	w := newWorld(codec{"c": bootable()})
	power := &powerless{at: "join"}
	w.journal = power
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err == nil {
		t.Fatal("it was not cut off")
	}
	power.at, power.off = "", false
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true}); err == nil ||
		w.last().State != status.StateFailed {
		t.Fatalf("%v, %s", err, w.last().State)
	}
	reported := len(w.published)
	if _, _, err := s.Apply(t.Context(), only("c", document.PhaseUser)); err != nil || len(w.published) != reported {
		t.Errorf("%v, and published is %+v", err, w.published[reported:])
	}
}

// TestPartialRunDoesNotCompleteTheBootstrap interrupts a full run, and then runs a phase manually that fails: the next
// boot continues the full run.
func TestPartialRunDoesNotCompleteTheBootstrap(t *testing.T) {
	w := newWorld(codec{"c": bootable()})
	w.shutDown(t, "pre", false)
	w.host.Fail["pre"] = &ports.CommandError{Name: "pre", ExitCode: 1}
	s := w.service(t)
	if got, _, err := s.Apply(t.Context(), only("c", document.PhasePre)); !errors.Is(err, agent.ErrStep) ||
		w.last().State != status.StateFailed {
		t.Fatalf("%v, %+v", err, got)
	}
	clear(w.host.Fail)
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Resume: true})
	if diff := cmp.Diff([]string{"boot", "pre", "pre", "boot", "pre", "join"}, w.host.Ran); diff != "" || err != nil ||
		got.State != status.StateSucceeded {
		t.Errorf("%v, %+v: %s", err, got.Failure, diff)
	}
}
