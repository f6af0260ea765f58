package agent_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports/portstest/inmemory"
)

func TestResetPutsBack(t *testing.T) {
	w := newWorld(codec{"c": full()})
	w.host.Files["/etc/log"] = inmemory.HostFile{Content: []byte("zero\n"), Mode: 0o600}
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	w.host.Ran = nil
	if err := s.Reset(t.Context(), func(journal.Entry) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]inmemory.HostFile{"/etc/log": {Content: []byte("zero\n"), Mode: 0o600}}, w.host.Files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"undo after", "undo before"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
	if past, _ := w.journal.Load(t.Context()); len(past) != 0 {
		t.Errorf("%d entries are left", len(past))
	}
}

// seen is a host that knows which files there were when a command ran.
type seen struct {
	*inmemory.Host
	files map[string]int
}

func (s seen) Revert(ctx context.Context, o journal.Original) error {
	if o.Thing == journal.ThingCommand {
		s.files[o.State[journal.StateUndo]] = len(s.Files)
	}
	return s.Host.Revert(ctx, o)
}

// TestResetRenewsLast rebuilds what is made of files once these are as they were.
func TestResetRenewsLast(t *testing.T) {
	w := newWorld(codec{"c": {
		machine.Command{Phase: document.PhasePre, Script: "rebuild"}, machine.File{Path: "/etc/a"}, machine.Command{Phase: document.PhasePost, Script: "post"},
	}})
	host := seen{w.host, map[string]int{}}
	s := w.with(t, host)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(t.Context(), func(journal.Entry) {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"undo post": 1, "undo rebuild": 1, "rebuild": 0}, host.files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"undo post", "undo rebuild", "rebuild"}, w.host.Ran[2:]); diff != "" {
		t.Error(diff)
	}
}
