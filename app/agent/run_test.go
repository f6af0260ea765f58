package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
)

// TestSkippedStepsAreNotApplied runs single phases: without all of them there is no success.
func TestSkippedStepsAreNotApplied(t *testing.T) {
	w := newWorld(codec{"c": full()})
	s := w.service(t)
	for _, r := range []agent.Request{
		{Only: []document.Phase{document.PhaseFile}},
		{Skip: []document.Phase{document.PhaseJoin}},
	} {
		r.Data = []byte("c")
		if got, _, err := s.Apply(t.Context(), r); err != nil || got.State != status.StatePrepared {
			t.Errorf("state %s, error %v", got.State, err)
		}
	}
	if slices.Contains(w.host.Ran, "join") {
		t.Error("the machine joined though that was left out")
	}
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil || got.State != status.StateSucceeded || got.Changes() != 1 {
		t.Errorf("state %s with %d changes, error %v", got.State, got.Changes(), err)
	}
	if diff := cmp.Diff([]string{"before", "after", "join"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
}

// TestUnitThatWaits enables a unit whose configuration already exists: only its own step can start it.
func TestUnitThatWaits(t *testing.T) {
	no := false
	cases := map[string]struct {
		reason string
		unit   machine.Unit
		want   []string
	}{
		"enabled": {
			"it is started with its configuration",
			machine.Unit{Name: "a.service", Enabled: enabled()},
			[]string{"a.service"},
		},
		"disabled": {"it must not run", machine.Unit{Name: "a.service", Enabled: &no}, nil},
		"masked":   {"it cannot run", machine.Unit{Name: "a.service", Masked: true}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": {c.unit, machine.Command{Phase: document.PhasePre, Script: "x"}}})
			if _, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, w.host.Restarted); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
		})
	}
}

// brokenJournal fails to read and write.
type brokenJournal struct {
	ports.Journal
	readable bool
}

var errDisk = errors.New("no space left on device")

func (b brokenJournal) Load(context.Context) (journal.Journal, error) {
	if b.readable {
		return nil, nil
	}
	return nil, errDisk
}

func (brokenJournal) Append(context.Context, ...journal.Entry) error { return errDisk }

func TestBrokenJournalIsAFailure(t *testing.T) {
	for _, readable := range []bool{false, true} {
		w := newWorld(codec{"c": full()})
		w.journal = brokenJournal{readable: readable}
		_, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
		if !errors.Is(err, errDisk) || w.last().State != status.StateFailed || !strings.Contains(w.last().Failure.Cause,
			"no space left") {
			t.Errorf("readable %v: error %v, published %+v", readable, err, w.last().Failure)
		}
		if len(w.host.Files) > 0 {
			t.Error("a change was made that cannot be undone")
		}
	}
}

// TestFinalStatusThatCannotBeWritten makes all steps succeed and the publication fail on a full disk.
func TestFinalStatusThatCannotBeWritten(t *testing.T) {
	cases := map[string]struct {
		reason string
		with   func(*world, *agent.Service, *agent.Request)
	}{
		"journal": {"the next run would not know that all is done", func(w *world, s *agent.Service, _ *agent.Request) {
			s.Journal = &fullAfter{Journal: w.journal, notes: 2}
		}},
		"configuration": {"it holds secrets", func(_ *world, _ *agent.Service, r *agent.Request) {
			r.RemoveConfiguration = func() error { return errDisk }
		}},
		"status": {"it would not be recorded", func(w *world, s *agent.Service, _ *agent.Request) {
			s.Publisher = mute{
				w,
				status.StateSucceeded,
			}
		}},
		"progress": {"the disk is full", func(w *world, s *agent.Service, _ *agent.Request) {
			s.Publisher = mute{
				w,
				status.StateRunning,
			}
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(codec{"c": {machine.File{Path: "/etc/a"}}})
			s, r := w.service(t), agent.Request{Data: []byte("c")}
			c.with(w, s, &r)
			got, _, err := s.Apply(t.Context(), r)
			if !errors.Is(err, errDisk) || got.State != status.StateFailed || w.last().State != status.StateFailed ||
				w.last().Failure == nil {
				t.Errorf("%s: %v, %+v, published %+v", c.reason, err, got, w.published)
			}
		})
	}
}

// mute is a publisher that fails for one state.
type mute struct {
	*world
	state status.State
}

func (m mute) Report(ctx context.Context, s status.Status) error {
	if s.State == m.state {
		return errDisk
	}
	return m.world.Report(ctx, s)
}

// TestSecretsAreRedactedAcrossChunks has a command whose output is so long that its log is truncated within a secret.
func TestSecretsAreRedactedAcrossChunks(t *testing.T) {
	const hash = "$6$salt$c4n4ryc4n4ryc4n4ry"
	w := newWorld(codec{"c": append(full(), machine.User{Name: "eve", PasswordHash: secret.FromString(hash)})})
	for n := range len(hash) {
		output := hash + strings.Repeat("x", 4096-n)
		w.host.Fail["before"] = &ports.CommandError{Name: "before", ExitCode: 1, Output: []byte(output)}
		_, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
		if f := w.last().Failure; err == nil || f == nil || len(f.Log) < 4000 || strings.Contains(f.Log, "4ry") ||
			strings.Contains(f.Cause, "4ry") {
			t.Fatalf("%d bytes of the secret are in %+v, error %v", n, f, err)
		}
	}
}

// TestResetWithdrawsFirst verifies that the machine is not reported as a cluster member during a reset.
func TestResetWithdrawsFirst(t *testing.T) {
	w := newWorld(codec{"c": full()})
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	err := s.Reset(t.Context(), func(journal.Entry) {
		if w.last().State != status.StateReset {
			t.Fatalf("the state is still %s", w.last().State)
		}
	}, nil)
	if err != nil || w.last().State != status.StateReset {
		t.Errorf("error %v, state %s", err, w.last().State)
	}
}

// TestSecretsAreRegisteredFirst verifies that the log knows all secrets before the first program starts.
func TestSecretsAreRegisteredFirst(t *testing.T) {
	w := newWorld(codec{"c": append(full(), machine.User{Name: "eve", PasswordHash: secret.FromString("$6$salt$c4n4ry")})})
	var clean string
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Expanders: []ports.Expander{plain{}},
		OnRedactor: func(r secret.Redactor) {
			if len(w.host.Ran) == 0 {
				clean = r.Clean("a $6$salt$c4n4ry")
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil || clean != "a [redacted]" {
		t.Errorf("the log is %q, error %v", clean, err)
	}
}

func TestFailureNamesTheStep(t *testing.T) {
	values := append(full(), machine.User{Name: "eve", PasswordHash: secret.FromString("$6$salt$c4n4ry")})
	w := newWorld(codec{"c": values})
	w.host.Fail["before"] = &ports.CommandError{Name: "before", ExitCode: 7, Output: []byte("no $6$salt$c4n4ry here")}
	_, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
	if !errors.Is(err, agent.ErrStep) {
		t.Fatalf("got %v", err)
	}
	want := &status.Failure{
		Phase: document.PhasePre, Document: "documents[5]", Action: "run before", ExitCode: 7,
		Cause: "before: exit code 7: no [redacted] here", Log: "no [redacted] here",
	}
	if diff := cmp.Diff(want, w.last().Failure); diff != "" {
		t.Error(diff)
	}
	delete(w.host.Fail, "before")
	if got, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil ||
		got.State != status.StateSucceeded {
		t.Errorf("once mended: state %s, error %v", got.State, err)
	}
	if strings.Contains(fmt.Sprint(w.published), "c4n4ry") {
		t.Error("the status holds a secret")
	}
}

// TestSecretsAreRemovedBeforeSuccessIsReported verifies that the configuration is removed before success is published.
func TestSecretsAreRemovedBeforeSuccessIsReported(t *testing.T) {
	w := newWorld(codec{"c": full()})
	var seen []status.State
	request := agent.Request{Data: []byte("c"), RemoveConfiguration: func() error {
		seen = append(seen, w.last().State)
		return nil
	}}
	if _, _, err := w.service(t).Apply(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]status.State{status.StateRunning}, seen); diff != "" || w.last().State != status.StateSucceeded {
		t.Errorf("%s: %s", w.last().State, diff)
	}
	// The power failed before the removal, so the next run repeats it.
	if _, _, err := w.service(t).Apply(t.Context(), request); err != nil || len(seen) != 2 {
		t.Errorf("%v, %d times", err, len(seen))
	}
	gone := errors.New("read-only file system")
	request.RemoveConfiguration = func() error { return gone }
	if _, _, err := w.service(t).Apply(t.Context(), request); !errors.Is(err, gone) {
		t.Error(err)
	}
}

// TestPreparationIsBoundToItsConfiguration verifies that Prepare keeps the configuration for Provision.
func TestPreparationIsBoundToItsConfiguration(t *testing.T) {
	w := newWorld(codec{"c": full()})
	request := agent.Request{Data: []byte("c"), Mode: agent.Prepare, RemoveConfiguration: func() error {
		return errors.New("it is removed")
	}}
	if _, _, err := w.service(t).Apply(t.Context(), request); err != nil {
		t.Error(err)
	}
}

// vault is a plugin that expands a document to a secret that no document contains, and prints it.
type vault struct{}

func (vault) Describe() ports.Capability {
	return ports.Capability{Name: "vault", Kinds: []document.Kind{"vault.example/v1/Login"}}
}

func (vault) Expand(context.Context, ports.Expansion) ([]action.Action, report.Report, error) {
	given := action.WriteFile{File: machine.File{
		Path:    "/etc/login",
		Content: document.Text("[login]\npassword=" + canary.Mark + "\n"), Secret: true,
	}}
	user := action.EnsureUser{User: machine.User{Name: "eve", PasswordHash: secret.FromString("$6$" + canary.Mark)}}
	return action.Of(given, user, action.RunCommand{Name: "print", Script: "cat /etc/login", When: document.PhasePre}),
		nil, nil
}

// TestSecretsOfPluginsAreRegistered verifies that secrets that a plugin creates are redacted, too.
func TestSecretsOfPluginsAreRegistered(t *testing.T) {
	const printed = "[login]\npassword=" + canary.Mark + "\nhash $6$" + canary.Mark + "\n"
	w := newWorld(codec{"c": {document.Opaque{Type: "vault.example/v1/Login", Body: []byte("role: worker")}}})
	w.host.Fail["print"] = &ports.CommandError{Name: "print", ExitCode: 1, Output: []byte(printed)}
	var log string
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Expanders:  []ports.Expander{vault{}},
		OnRedactor: func(r secret.Redactor) { log = r.Clean(printed) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, agent.ErrStep) {
		t.Fatalf("got %v", err)
	}
	canary.Check(t, "the log", log)
	canary.Check(t, "the status", fmt.Sprintf("%+v %+v", w.published, w.last().Failure))
	if f := w.last().Failure; f == nil || !strings.Contains(f.Log, "[redacted]") ||
		!strings.Contains(log, "hash [redacted]") {
		t.Errorf("the failure is %+v, the log %q", f, log)
	}
}
