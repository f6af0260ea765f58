package agent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

func TestResetRestoresFiles(t *testing.T) {
	w := newWorld(codec{"c": full()})
	w.host.Files["/etc/log"] = memory.HostFile{Content: []byte("zero\n"), Mode: 0o600}
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	w.host.Ran = nil
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]memory.HostFile{"/etc/log": {Content: []byte("zero\n"), Mode: 0o600}},
		w.host.Files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"undo after", "undo join", "undo before"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
	if past, _ := w.journal.Load(t.Context()); len(past) != 0 {
		t.Errorf("%d entries are left", len(past))
	}
}

// TestResetClearsTheJournalLast verifies that the reset removes the initial configuration after everything is reverted,
// and before it clears the journal. If the removal fails, the next reset repeats it, and until then nothing is applied.
func TestResetClearsTheJournalLast(t *testing.T) {
	w := newWorld(codec{"c": full()})
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	files, err := 0, errDisk
	forget := func() error {
		past, loaded := w.journal.Load(t.Context())
		if loaded != nil || !past.Resetting() {
			t.Errorf("the journal does not record the reset: %v, %v", loaded, past)
		}
		files = len(w.host.Files)
		return err
	}
	if got := s.Reset(t.Context(), func(journal.Entry) {}, forget); !errors.Is(got, errDisk) || files != 0 {
		t.Errorf("%v, and %d files were left", got, files)
	}
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, agent.ErrReset) {
		t.Error(err)
	}
	err = nil
	if err := s.Reset(t.Context(), func(journal.Entry) {}, forget); err != nil {
		t.Fatal(err)
	}
	if past, _ := w.journal.Load(t.Context()); len(past) != 0 {
		t.Errorf("%d entries are left", len(past))
	}
}

// seen is a host that records which files existed when a command ran.
type seen struct {
	*memory.Host
	files map[string]int
}

func (s seen) Revert(ctx context.Context, o journal.Original) error {
	if o.Type == journal.ResourceCommand {
		s.files[o.State[journal.StateUndo]] = len(s.Files)
	}
	return s.Host.Revert(ctx, o)
}

// TestResetRenewsLast verifies that derived data is rebuilt after the files are restored.
func TestResetRenewsLast(t *testing.T) {
	w := newWorld(codec{"c": {
		machine.Command{Phase: document.PhasePre, Script: "rebuild"},
		machine.File{Path: "/etc/a"},
		machine.Command{Phase: document.PhasePost, Script: "post"},
	}})
	host := seen{w.host, map[string]int{}}
	s := w.with(t, host)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"undo post": 1, "undo rebuild": 1, "rebuild": 0}, host.files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"undo post", "undo rebuild", "rebuild"}, w.host.Ran[2:]); diff != "" {
		t.Error(diff)
	}
}

// capturing is a host whose units have the same command for the end of a reset.
type capturing struct{ *memory.Host }

func (c capturing) Capture(ctx context.Context, op action.Operation) (journal.Original, error) {
	o, err := c.Host.Capture(ctx, op)
	if _, unit := op.(action.EnsureUnit); unit {
		o.State = map[string]string{journal.StateRenew: "restart"}
	}
	return o, err
}

// TestResetRenewsOnce verifies that a service whose configuration several documents changed is restarted once.
func TestResetRenewsOnce(t *testing.T) {
	w := newWorld(codec{"c": {
		machine.Unit{Name: "a.service", Enabled: enabled()}, machine.Unit{Name: "b.service", Enabled: enabled()},
	}})
	s := w.with(t, capturing{w.host})
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"restart"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
}

// TestResetLeavesFirst verifies that the machine leaves the cluster before anything of its join is reverted. If the
// other members refuse, the reset stops without reverting anything, and the next reset tries again.
func TestResetLeavesFirst(t *testing.T) {
	w, m := newWorld(codec{"c": full()}), &memory.Membership{Err: errDisk}
	s := w.service(t)
	s.Membership = m
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	w.host.Ran = nil
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); !errors.Is(err, errDisk) || m.Left {
		t.Errorf("left: %t, error %v", m.Left, err)
	}
	if diff := cmp.Diff([]string{"undo after"}, w.host.Ran); diff != "" {
		t.Errorf("the join was taken back, or what came after was not (-want +got):\n%s", diff)
	}
	m.Err = nil
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil || !m.Left {
		t.Errorf("left: %t, error %v", m.Left, err)
	}
}

// TestResetLeavesWhatItJoined verifies that a membership is kept if machineadm did not join the machine.
func TestResetLeavesWhatItJoined(t *testing.T) {
	w, m := newWorld(codec{"c": {machine.File{Path: "/etc/a"}, machine.Command{
		Phase:  document.PhasePost,
		Script: "post",
	}}}), &memory.Membership{}
	s := w.service(t)
	s.Membership = m
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil || m.Left {
		t.Errorf("left: %t, error %v", m.Left, err)
	}
}

// busy is a host that cannot revert.
type busy struct{ *memory.Host }

func (busy) Revert(context.Context, journal.Original) error {
	return &ports.CommandError{
		Name: "userdel", ExitCode: 8, Output: []byte("userdel: user ada is currently used by process 7\n"),
	}
}

// TestResetPrintsTheReason verifies that the error of a reset contains more than the exit code of a program.
func TestResetPrintsTheReason(t *testing.T) {
	w := newWorld(codec{"c": {machine.User{Name: "ada"}}})
	s := w.with(t, busy{w.host})
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	err := s.Reset(t.Context(), func(journal.Entry) {}, nil)
	const want = `revert "ensure user ada": userdel: exit code 8: userdel: user ada is currently used by process 7`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
