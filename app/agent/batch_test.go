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
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// written is a configuration of five files, of which two have the same name, and a command.
func written() []document.Value {
	var values []document.Value
	for _, path := range []string{"/etc/a", "/etc/b", "/etc/c", "/srv/c", "/srv/d"} {
		values = append(values, machine.File{Path: path, Content: document.Text(path)})
	}
	return append(values, machine.Command{Phase: document.PhasePre, Script: "pre"})
}

// appended records the number of entries of each append.
type appended struct {
	ports.Journal
	notes []int
}

func (a *appended) Append(ctx context.Context, entries ...journal.Entry) error {
	a.notes = append(a.notes, len(entries))
	return a.Journal.Append(ctx, entries...)
}

// crammed is a host without disk space for some files.
type crammed struct {
	ports.Host
	no map[string]bool
}

func (c crammed) Apply(ctx context.Context, op action.Operation, o journal.Original) error {
	if file, ok := op.(action.WriteFile); ok && c.no[file.Path] {
		return errDisk
	}
	return c.Host.Apply(ctx, op, o)
}

func TestFilesAreWrittenTogether(t *testing.T) {
	w := newWorld(codec{"c": written()})
	reported := &appended{Journal: w.journal}
	w.journal = reported
	s, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil {
		t.Fatal(err)
	}
	// The begin; three files; their results with two files; the results of these with the command; the command; the
	// end.
	if diff := cmp.Diff([]int{1, 3, 5, 3, 1, 1}, reported.notes); diff != "" {
		t.Errorf("notes: %s", diff)
	}
	for _, step := range s.Steps {
		if step.Outcome != status.OutcomeChanged {
			t.Errorf("%s: %s", step.Action, step.Outcome)
		}
	}
}

// TestConflictingPaths has a file where another file may need a directory, because a link can make two paths the same:
// each file is compared after the previous one is written. The planner refuses files below files without links.
func TestConflictingPaths(t *testing.T) {
	cases := map[string]struct {
		reason string
		paths  []string
		want   []int
	}{
		"below":      {"/srv may be a link to /etc", []string{"/etc/motd", "/srv/motd/x"}, []int{1, 1, 2, 2}},
		"far below":  {"/srv may be a link to /etc", []string{"/etc/motd", "/srv/motd/d/x"}, []int{1, 1, 2, 2}},
		"above":      {"/srv may be a link to /etc", []string{"/srv/motd/x", "/etc/motd"}, []int{1, 1, 2, 2}},
		"beside it":  {"neither needs the other", []string{"/etc/motd", "/etc/motd.d/x"}, []int{1, 2, 3}},
		"one folder": {"files have their folders in common", []string{"/etc/d/x", "/etc/d/y"}, []int{1, 2, 3}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var values []document.Value
			for _, path := range c.paths {
				values = append(values, machine.File{Path: path, Content: document.Text(path)})
			}
			w := newWorld(codec{"c": values})
			reported := &appended{Journal: w.journal}
			w.journal = reported
			if _, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, reported.notes); diff != "" {
				t.Errorf("%s: notes: %s", c.reason, diff)
			}
		})
	}
}

// fullAfter is a journal without disk space after some appends.
type fullAfter struct {
	ports.Journal
	notes int
}

func (f *fullAfter) Append(ctx context.Context, entries ...journal.Entry) error {
	if f.notes--; f.notes < 0 {
		return errDisk
	}
	return f.Journal.Append(ctx, entries...)
}

// TestJournalIsFullAtAStepThatChangesNothing fails to record the result of the first step at the second step, which
// needs no change.
func TestJournalIsFullAtAStepThatChangesNothing(t *testing.T) {
	values := []document.Value{machine.User{Name: "ada"}, machine.File{Path: "/etc/a", Content: document.Text("a")}}
	w := newWorld(codec{"c": values})
	w.host.Files["/etc/a"] = memory.HostFile{Content: []byte("a"), Mode: machine.DefaultFileMode}
	// The entries of the begin and of the user.
	w.journal = &fullAfter{Journal: w.journal, notes: 2}
	s, _, err := w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
	if !errors.Is(err, errDisk) || s.State != status.StateFailed || s.Failure.Action != "write /etc/a" ||
		w.last().State != status.StateFailed {
		t.Errorf("%v, %+v", err, s.Failure)
	}
}

func TestOneOfManyFilesFails(t *testing.T) {
	w := newWorld(codec{"c": written()})
	host := w.host
	s, _, err := w.with(t, crammed{host, map[string]bool{"/etc/b": true}}).Apply(t.Context(),
		agent.Request{Data: []byte("c")})
	if err == nil || s.Failure == nil || s.Failure.Action != "write /etc/b" {
		t.Fatalf("got %v, %+v", err, s.Failure)
	}
	var outcomes []status.Outcome
	for _, step := range s.Steps {
		outcomes = append(outcomes, step.Outcome)
	}
	want := []status.Outcome{
		status.OutcomeChanged, status.OutcomeFailed, status.OutcomeChanged, status.OutcomePending, status.OutcomePending,
		status.OutcomePending,
	}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Error(diff)
	}
	s, _, err = w.service(t).Apply(t.Context(), agent.Request{Data: []byte("c")})
	if err != nil || len(host.Ran) != 1 {
		t.Fatalf("the next run: %v, %v", err, host.Ran)
	}
	if got := []status.Outcome{s.Steps[0].Outcome, s.Steps[1].Outcome}; got[0] != status.OutcomeUnchanged ||
		got[1] != status.OutcomeChanged {
		t.Errorf("the next run: %v", got)
	}
}
