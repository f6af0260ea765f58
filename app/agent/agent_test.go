package agent_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/indirect"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// renews maps commands to the commands that rebuild what the system derives from files.
var renews = map[string]string{"rebuild": "rebuild"}

// plain is an expander that returns one action for each document, like the plain plugin.
type plain struct{}

func (plain) Describe() ports.Capability {
	return ports.Capability{Name: "plain", Kinds: []document.Kind{
		machine.KindFile, machine.KindUser, machine.KindUnit, machine.KindCommand, machine.KindSysctl, node.KindStaticPod,
		machine.KindKernelModules, machine.KindPackages,
	}}
}

func (plain) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	switch v := e.Document.Value.(type) {
	case machine.File:
		return action.Of(action.WriteFile{File: v}), nil, nil
	case machine.User:
		return action.Of(action.EnsureUser{User: v}), nil, nil
	case machine.PackagesConfig:
		return action.Of(action.InstallPackages{PackagesConfig: v}), nil, nil
	case machine.Unit:
		return action.Of(action.EnsureUnit{Unit: v, RestartOn: []document.Kind{machine.KindFile}}), nil, nil
	case machine.Command:
		return action.Of(action.RunCommand{
			Name: v.Script, Script: v.Script, When: v.Phase, Undo: "undo " + v.Script,
			Renew: renews[v.Script],
		}), nil, nil
	case node.StaticPod:
		given := action.WriteFile{File: machine.File{Path: "/etc/join", Content: document.Text("token"), Secret: true}}
		return action.Of(given, join()), nil, nil
	case machine.KernelModulesConfig:
		return action.Of(join(), action.RunCommand{
			Name: "annotate", Script: "annotate", When: document.PhaseJoin,
		}), nil, nil
	default:
		// Joining is the only command of a plugin; users request all others.
		return action.Of(join()), nil, nil
	}
}

// join is the command of kubeadm.
func join() action.RunCommand {
	return action.RunCommand{Name: "join", Script: "join", When: document.PhaseJoin, Undo: "undo join"}
}

// codec maps texts to configurations.
type codec map[string][]document.Value

func (c codec) Decode(_ context.Context, data []byte) ([]document.Document, report.Report) {
	values, known := c[string(data)]
	if !known {
		return nil, report.Report{report.Errorf("", "no such configuration")}
	}
	docs := make([]document.Document, len(values))
	for i, v := range values {
		docs[i] = document.Document{
			Value: v, Source: document.Source{Path: report.Path(fmt.Sprintf("documents[%d]", i))},
			Digest: fmt.Sprintf("%s-%d", data, i),
		}
	}
	return docs, nil
}

func (codec) Encode([]document.Document) ([]byte, error) { return nil, errors.New("not needed") }

// world is a machine with all dependencies of the service.
type world struct {
	codec
	host      *memory.Host
	journal   ports.Journal
	published []status.Status
	reported  int
}

func (w *world) Detect(_ context.Context, hint osprofile.Target) (osprofile.Target, error) {
	return hint, nil
}

func (w *world) Lookup(_ context.Context, f document.Fact) (string, error) {
	if f == document.FactHostname {
		return "node-1", nil
	}
	return "", ports.ErrNoFact
}

func (w *world) Fetch(_ context.Context, c indirect.RemoteConfig) ([]byte, error) {
	return []byte(c.URI), nil
}

func (w *world) Report(_ context.Context, s status.Status) error {
	w.published = append(w.published, s)
	return nil
}

func (w *world) Now() time.Time { return time.Date(2026, 11, 1, 0, 0, w.reported, 0, time.UTC) }

func newWorld(configurations codec) *world {
	return &world{codec: configurations, host: memory.NewHost(), journal: &memory.Journal{}}
}

func (w *world) service(t *testing.T) *agent.Service {
	t.Helper()
	return w.with(t, w.host)
}

func (w *world) with(t *testing.T, host ports.Host) *agent.Service {
	t.Helper()
	s, err := agent.New(agent.Dependencies{
		Host: host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Source: w, Clock: w, Publisher: w,
		Expanders: []ports.Expander{plain{}}, Version: "v1",
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) last() status.Status { return w.published[len(w.published)-1] }

func enabled() *bool { v := true; return &v }

func full() []document.Value {
	return []document.Value{
		machine.File{Path: "/etc/motd", Content: document.Join(document.Text("on "),
			document.FromFact(document.FactHostname))},
		machine.User{Name: "ada"},
		machine.File{Path: "/etc/log", Content: document.Text("one\n"), Append: true},
		machine.File{Path: "/etc/log", Content: document.Text("two\n"), Append: true},
		machine.Unit{Name: "app.service", Content: document.Text("[Service]\nExecStart=/app\n"), Enabled: enabled()},
		machine.Command{Phase: document.PhasePre, Script: "before"},
		machine.SysctlConfig{},
		machine.Command{Phase: document.PhasePost, Script: "after"},
	}
}

func TestApply(t *testing.T) {
	w := newWorld(codec{"c": full()})
	w.host.Files["/etc/log"] = memory.HostFile{Content: []byte("zero\n"), Mode: 0o644}
	got, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil {
		t.Fatal(err)
	}
	if got.State != status.StateSucceeded || got.Changes() != 8 || w.last().State != status.StateSucceeded {
		t.Errorf("state %s with %d changes, published %s", got.State, got.Changes(), w.last().State)
	}
	if diff := cmp.Diff("on node-1", string(w.host.Files["/etc/motd"].Content)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("zero\none\ntwo\n", string(w.host.Files["/etc/log"].Content)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"before", "join", "after"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"app.service"}, w.host.Restarted); diff != "" {
		t.Error(diff)
	}
}

func TestApplyAgainChangesNothing(t *testing.T) {
	w := newWorld(codec{"c": full(), "d": full()[:1]})
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	ran := len(w.host.Ran)
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil || got.State != status.StateSucceeded || got.Changes() != 0 || len(w.host.Ran) != ran {
		t.Errorf("error %v, state %s, %d changes, %d commands", err, got.State, got.Changes(), len(w.host.Ran)-ran)
	}
	if w.last().State != status.StateSucceeded {
		t.Error("success was not published again")
	}
	got, _, err = s.Apply(t.Context(), agent.Request{Data: []byte("d")})
	if !errors.Is(err, agent.ErrOtherConfiguration) || got.State != status.StateFailed || got.Ended.IsZero() ||
		len(w.host.Ran) != ran {
		t.Errorf("another configuration gave %v, %+v", err, got)
	}
	if reported := w.last(); !reported.Again || reported.Failure == nil ||
		reported.Failure.Cause != agent.ErrOtherConfiguration.Error() {
		t.Errorf("another configuration was published as %+v", reported)
	}
}

func TestPrepareLeavesTheClusterOut(t *testing.T) {
	w := newWorld(codec{"c": full()})
	s := w.service(t)
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c"), Mode: agent.Prepare})
	if err != nil || got.State != status.StatePrepared {
		t.Fatalf("state %s, error %v", got.State, err)
	}
	if _, created := w.host.Files["/etc/motd"]; created || len(w.host.Ran) != 0 {
		t.Errorf("what needs the machine itself was done: %v", w.host.Ran)
	}
	got, _, err = s.Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil || got.State != status.StateSucceeded {
		t.Fatalf("state %s, error %v", got.State, err)
	}
	if diff := cmp.Diff(4, got.Changes()); diff != "" {
		t.Errorf("the motd and three commands were left (-want +got): %s", diff)
	}
	if diff := cmp.Diff("one\ntwo\n", string(w.host.Files["/etc/log"].Content)); diff != "" {
		t.Error(diff)
	}
}

// cut simulates the end of the process at the nth call.
type cut struct {
	*memory.Host
	ports.Journal
	left *atomic.Int64
	// late ends the process after the call instead of before it.
	late bool
}

var errCut = errors.New("power cut")

func (c cut) Apply(ctx context.Context, op action.Operation, o journal.Original) error {
	return c.maybe(func() error { return c.Host.Apply(ctx, op, o) })
}

func (c cut) Restart(ctx context.Context, unit string) error {
	return c.maybe(func() error { return c.Host.Restart(ctx, unit) })
}

func (c cut) Append(ctx context.Context, entries ...journal.Entry) error {
	return c.maybe(func() error { return c.Journal.Append(ctx, entries...) })
}

func (c cut) maybe(do func() error) error {
	left := c.left.Add(-1)
	if left > 0 {
		return do()
	}
	if left == 0 && c.late {
		_ = do()
	}
	return errCut
}

// TestPowerCut interrupts a run before and after each of its calls, and continues it.
func TestPowerCut(t *testing.T) {
	undisturbed := newWorld(codec{"c": full()})
	if _, _, err := undisturbed.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	points := 0
	for _, late := range []bool{false, true} {
		for n := int64(1); ; n++ {
			w := newWorld(codec{"c": full()})
			kept := w.journal
			broken := cut{Host: w.host, Journal: kept, left: &atomic.Int64{}, late: late}
			broken.left.Store(n)
			w.journal = broken
			_, _, err := w.with(t, broken).Apply(t.Context(), agent.Request{Data: []byte("c")})
			if err == nil {
				break
			}
			points++
			w.journal = kept
			w.goesOn(t, n, undisturbed)
		}
	}
	if points < 34 {
		t.Errorf("only %d points", points)
	}
}

// goesOn runs again after a power cut: either the result is as without it, or kubeadm was interrupted and the error
// reports that.
func (w *world) goesOn(t *testing.T, n int64, undisturbed *world) {
	t.Helper()
	_, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil {
		if f := w.last().Failure; f == nil || f.Phase != document.PhaseJoin {
			t.Errorf("cut %d: %v", n, err)
		}
		return
	}
	if diff := cmp.Diff(undisturbed.host.Files, w.host.Files); diff != "" {
		t.Errorf("cut %d: %s", n, diff)
	}
	if !reflect.DeepEqual(undisturbed.host.Things, w.host.Things) {
		t.Errorf("cut %d: got %v", n, w.host.Things)
	}
}
