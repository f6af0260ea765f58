package agent_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// scratch is a plugin that writes below directories that a reboot empties.
type scratch struct{}

func (scratch) Describe() ports.Capability {
	return ports.Capability{Name: "scratch", Kinds: []document.Kind{"scratch.example/v1/Scratch"}}
}

func (scratch) Expand(context.Context, ports.Expansion) ([]action.Action, report.Report, error) {
	file := func(path, content string) machine.File {
		return machine.File{Path: path, Content: document.Text(content)}
	}
	more, token := file("/tmp/setup.sh", "two\n"), file("/run/token", "token")
	more.Append, token.Secret = true, true
	return action.Of(
		action.MakeDirectory{Path: "/run/app"},
		action.WriteFile{File: file("/var/run/app/x.env", "x")},
		action.WriteFile{File: file("/tmp/setup.sh", "one\n")},
		action.WriteFile{File: more},
		action.WriteFile{File: file("/tmp/edited", "before")},
		action.Link{Path: "/dev/shm/link", Target: "/etc/x"},
		action.FetchFile{Path: "/tmp/fetched", URL: "https://example/x"},
		action.WriteFile{File: file("/etc/removed", "x")},
		action.WriteFile{File: file("/var/tmp/removed", "x")},
		action.WriteFile{File: token},
		join(),
		action.RunCommand{Name: "late", Script: "late", When: document.PhasePost},
	), nil, nil
}

// TestVolatilePathsAreRestored cuts the power after the join. The reboot empties some directories, and commands had
// changed or removed other files before.
func TestVolatilePathsAreRestored(t *testing.T) {
	request := agent.Request{Data: []byte("c"), Resume: true}
	w := newWorld(codec{"c": {document.Opaque{Type: "scratch.example/v1/Scratch", Body: []byte("x")}}})
	power := &powerless{at: "late"}
	w.journal = power
	s, err := agent.New(agent.Dependencies{
		Host: w.host, Detector: w, Facts: w, Journal: w.journal, Codec: w.codec, Clock: w, Publisher: w,
		Expanders: []ports.Expander{scratch{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Apply(t.Context(), request); err == nil {
		t.Fatal("it was not cut off")
	}
	power.at, power.off = "", false
	want := map[string]memory.HostFile{
		"/run/app":           {Directory: true, Mode: machine.DefaultDirectoryMode},
		"/var/run/app/x.env": {Content: []byte("x"), Mode: machine.DefaultFileMode},
		"/tmp/setup.sh":      {Content: []byte("one\ntwo\n"), Mode: machine.DefaultFileMode},
		"/dev/shm/link":      {Link: "/etc/x"},
		"/tmp/fetched":       {Content: []byte("https://example/x"), Mode: machine.DefaultFileMode},
		"/tmp/edited":        {Content: []byte("after"), Mode: 0o600},
	}
	w.host.Files = map[string]memory.HostFile{"/tmp/edited": want["/tmp/edited"]}
	if _, _, err := s.Apply(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, w.host.Files); diff != "" {
		t.Errorf("the files after the resumed run: %s", diff)
	}
	if diff := cmp.Diff([]string{"join", "late", "late"}, w.host.Ran); diff != "" {
		t.Error(diff)
	}
}
