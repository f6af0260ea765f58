package agent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// same is a codec that recognizes a document in another configuration.
type same struct{ codec }

func (c same) Decode(ctx context.Context, data []byte) ([]document.Document, report.Report) {
	docs, r := c.codec.Decode(ctx, data)
	for i := range docs {
		switch v := docs[i].Value.(type) {
		case machine.File:
			content, _ := v.Content.Static()
			docs[i].Digest = v.Path + string(content)
		case machine.Command:
			docs[i].Digest = v.Script
		default:
			docs[i].Digest = string(v.Kind())
		}
	}
	return docs, r
}

// TestEarlierConfigurationIsAppliedAgain has a run that fails, another configuration that fails, and the first one that
// succeeds: the machine then has the first configuration.
func TestEarlierConfigurationIsAppliedAgain(t *testing.T) {
	motd := func(text string) document.Value {
		return machine.File{Path: "/etc/motd", Content: document.Text(text)}
	}
	pre := machine.Command{Phase: document.PhasePre, Script: "pre"}
	w := newWorld(codec{"a": {motd("a"), pre}, "b": {motd("b"), pre}})
	w.host.Fail["pre"] = &ports.CommandError{Name: "pre", ExitCode: 1}
	s := w.service(t)
	s.Codec = same{w.codec}
	for _, data := range []string{"a", "b"} {
		if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte(data)}); !errors.Is(err, agent.ErrStep) {
			t.Fatal(err)
		}
	}
	delete(w.host.Fail, "pre")
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("a", string(w.host.Files["/etc/motd"].Content)); diff != "" {
		t.Error(diff)
	}
}

// TestSecretsOfAJoinAreNotWrittenAgain applies another configuration after a failure that followed the join: the
// secrets of the join stay removed.
func TestSecretsOfAJoinAreNotWrittenAgain(t *testing.T) {
	post := func(script string) document.Value {
		return machine.Command{Phase: document.PhasePost, Script: script}
	}
	pod := node.StaticPod{Name: "a", Manifest: []byte("{}")}
	w := newWorld(codec{"a": {pod, post("wrong")}, "b": {pod, post("right")}})
	w.host.Fail["wrong"] = &ports.CommandError{Name: "wrong", ExitCode: 1}
	s := w.service(t)
	s.Codec = same{w.codec}
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("a")}); !errors.Is(err, agent.ErrStep) {
		t.Fatal(err)
	}
	// The join command removes the file.
	delete(w.host.Files, "/etc/join")
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("b")}); err != nil {
		t.Fatal(err)
	}
	if _, there := w.host.Files["/etc/join"]; there {
		t.Error("the secret lies there again")
	}
	if diff := cmp.Diff([]string{"join", "wrong", "right"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
}

// TestPartialJoinByAnotherConfiguration interrupts kubeadm and then applies another configuration, such as one with a
// new token.
func TestPartialJoinByAnotherConfiguration(t *testing.T) {
	w := newWorld(codec{"a": bootable(), "b": bootable()})
	power := &powerless{at: "join"}
	w.journal = power
	s := w.service(t)
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("a")}); err == nil {
		t.Fatal("it was not cut off")
	}
	power.at, power.off = "", false
	got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("b")})
	if err == nil || got.Failure == nil || got.Failure.Cause != "an earlier run was interrupted here; reset the "+
		"machine, or replace it" {
		t.Errorf("%v, %+v", err, got.Failure)
	}
	if diff := cmp.Diff([]string{"boot", "pre", "join", "boot", "pre"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
}

// hiccup is a journal that fails once, after the join command.
type hiccup struct {
	ports.Journal
	had bool
}

func (h *hiccup) Append(ctx context.Context, entries ...journal.Entry) error {
	past, err := h.Load(ctx)
	if last := len(past) - 1; !h.had && last >= 0 && past[last].Summary == "run join" {
		h.had = true
		return errDisk
	}
	return errors.Join(err, h.Journal.Append(ctx, entries...))
}

// TestJoinThatCannotBeRecorded makes the journal fail once after a join: the next run does not join again.
func TestJoinThatCannotBeRecorded(t *testing.T) {
	w := newWorld(codec{"c": bootable()})
	w.journal = &hiccup{Journal: w.journal}
	s := w.service(t)
	if got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); !errors.Is(err, agent.ErrStep) ||
		got.State != status.StateFailed {
		t.Fatalf("%v, %+v", err, got)
	}
	if _, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"boot", "pre", "join"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
}

// stuck is a host that cannot restore a file.
type stuck struct{ *memory.Host }

func (s stuck) Revert(ctx context.Context, o journal.Original) error {
	if o.Type == journal.ResourcePath {
		return errDisk
	}
	return s.Host.Revert(ctx, o)
}

// TestInterruptedReset interrupts a reset and reboots the machine: it is no longer reported as complete, and nothing is
// applied until the reset is complete.
func TestInterruptedReset(t *testing.T) {
	w, r := newWorld(codec{"c": full()}), &memory.Resumption{}
	s := w.with(t, stuck{w.host})
	s.Resumption = r
	request := agent.Request{Data: []byte("c"), ResumeCommand: []string{"x"}}
	if _, _, err := s.Apply(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); !errors.Is(err, errDisk) || r.Argv != nil {
		t.Fatalf("%v, later boots: %q", err, r.Argv)
	}
	ran := len(w.host.Ran)
	for _, resume := range []bool{true, false} {
		request.Resume = resume
		got, _, err := s.Apply(t.Context(), request)
		if !errors.Is(err, agent.ErrReset) || got.State != status.StateFailed || w.last().State == status.StateSucceeded ||
			len(w.host.Ran) != ran {
			t.Errorf("%v, %+v", err, got)
		}
	}
	s.Host = w.host
	if err := s.Reset(t.Context(), func(journal.Entry) {}, nil); err != nil {
		t.Fatal(err)
	}
	if got, _, err := s.Apply(t.Context(), agent.Request{Data: []byte("c")}); err != nil || got.Changes() == 0 {
		t.Errorf("%v, %+v", err, got)
	}
}
