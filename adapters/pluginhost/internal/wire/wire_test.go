package wire_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"

	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/pluginhost/internal/wire"
	pluginv1 "github.com/machineadm/machineadm/adapters/pluginhost/proto/v1"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports/portstest"
)

var wired = wire.Wire{Codec: codec.Codec{}}

// target is a target with all that the wire takes along.
func target(t testing.TB) osprofile.Target {
	t.Helper()
	profile, _ := osprofile.Lookup("ubuntu")
	profile.TimeDaemons = []machine.TimeDaemon{machine.TimeDaemonNTPD, machine.TimeDaemonChronyd}
	return osprofile.Target{
		Profile: profile, Release: "24.04", Architecture: "arm64", Platform: "aws", KubernetesVersion: "v1.36.3",
		ContainerdVersion: 3,
	}
}

func TestActions(t *testing.T) {
	for _, s := range portstest.Actions(target(t)) {
		t.Run(s.Name, func(t *testing.T) {
			if s.Do == nil {
				t.Fatal("there is no sample of it")
			}
			want := []action.Action{{Do: s.Do}, {Phase: document.PhasePost, Do: s.Do}}
			messages, err := wired.Actions(want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := wired.FromActions(t.Context(), messages)
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestTarget(t *testing.T) {
	want := target(t)
	if diff := cmp.Diff(want, wire.FromTarget(wire.Target(want))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	strange := wire.FromTarget(&pluginv1.Target{Distribution: "plan9"})
	if strange.Profile.ID != "plan9" {
		t.Errorf("an unknown system is %q", strange.Profile.ID)
	}
}

func TestFindings(t *testing.T) {
	want := report.Report{
		report.Errorf("a.b[1]", "is wrong").To("mend it"), report.Warningf("", "odd"),
		{Severity: report.Info, Path: "c", Message: "told", Line: 3, Column: 4},
	}
	if diff := cmp.Diff(want, wire.FromFindings(wire.Findings(want))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, severity := range []int32{0, 4, -1} {
		if r := wire.FromFindings([]*pluginv1.Finding{{Severity: severity, Message: "strange"}}); !r.HasErrors() {
			t.Errorf("the severity %d is no error: %v", severity, r)
		}
	}
}

func TestOpaqueDocument(t *testing.T) {
	body := "apiVersion: widgets.example/v1\nkind: Widget\nspec:\n    colour: \"no\"\n"
	d := document.Document{
		Value:  document.Opaque{Type: "Widget", Body: []byte(body)},
		Source: document.Source{Object: "RemoteConfig a", Path: "documents[1].spec"},
	}
	m, err := wired.Document(d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := wired.FromDocument(t.Context(), m)
	if diff := cmp.Diff(d, got, cmpopts.IgnoreFields(document.Document{}, "Digest")); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestUnknownValues(t *testing.T) {
	file := func(text string) *pluginv1.Action {
		return &pluginv1.Action{Operation: &pluginv1.Action_Document{Document: &pluginv1.Document{Text: []byte(text)}}}
	}
	const good = "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: /a}\n"
	cases := map[string]struct {
		reason  string
		message *pluginv1.Action
		want    string
	}{
		"nothing": {message: nil, want: "action 0: there is no operation in it that this program knows"},
		"phase": {
			message: &pluginv1.Action{Phase: "later"},
			want:    `action 0: "later" is not a phase; use one of [disk trust user file unit boot pre join post]`,
		},
		"no document": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_Document{}},
			want:    "action 0: read a document: the message holds 0",
		},
		"two documents": {message: file(good + "---\n" + good), want: "action 0: read a document: the message holds 2"},
		"no operation": {
			message: file("apiVersion: machineadm.io/v1alpha1\nkind: SysctlConfig\n"),
			want:    "action 0: a SysctlConfig is no operation",
		},
		"a strange kind": {
			reason: "an action is for this program to carry out", message: file("apiVersion: x/v1\nkind: Widget\n"),
			want: "action 0: a Widget is no operation",
		},
		"a mistake": {
			reason:  "documents of plugins are checked like all others",
			message: file("apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: a}\n"),
			want:    `action 0: the File in it: error: path: "a" is not absolute; begin it with a slash`,
		},
		"a command without phase": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_RunCommand{RunCommand: &pluginv1.RunCommand{Script: []byte(
				"true")}}},
			want: "action 0: the command in it: error: when: the phase is not set; set it",
		},
		"a command's phase": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_RunCommand{RunCommand: &pluginv1.RunCommand{Script: []byte(
				"true"), When: "later"}}},
			want: `action 0: "later" is not a phase; use one of [disk trust user file unit boot pre join post]`,
		},
		"a command's script": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_RunCommand{RunCommand: &pluginv1.RunCommand{Script: []byte(
				"a\x00b"), When: "pre"}}},
			want: "action 0: the command in it: error: script: a command cannot contain a NUL byte; remove it",
		},
		"a directory's path": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_MakeDirectory{
				MakeDirectory: &pluginv1.MakeDirectory{Path: "/a/../../b"},
			}},
			want: `action 0: the directory in it: error: path: "/a/../../b" is not clean; write "/b"`,
		},
		"a directory's mode": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_MakeDirectory{
				MakeDirectory: &pluginv1.MakeDirectory{Path: "/a", Mode: 0o20000},
			}},
			want: "action 0: the directory in it: error: mode: 020000 is not a file mode; write octal digits such as 0644",
		},
		"a link's path": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_Link{Link: &pluginv1.Link{Path: "a", Target: "/b"}}},
			want:    `action 0: the link in it: error: path: "a" is not absolute; begin it with a slash`,
		},
		"a link's target": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_Link{Link: &pluginv1.Link{Path: "/a"}}},
			want:    "action 0: the link in it: error: target: the target is empty; set a path",
		},
		"a fetched file's digest": {
			reason: "a file needs a digest or a signature",
			message: &pluginv1.Action{Operation: &pluginv1.Action_FetchFile{FetchFile: &pluginv1.FetchFile{
				Path: "/a", Url: "https://a/b", Sha256: "abc",
			}}},
			want: "action 0: the file to fetch in it: error: sha256: this is not a digest of 64 lower-case hexadecimal digits",
		},
		"a fetched file's address": {
			message: &pluginv1.Action{Operation: &pluginv1.Action_FetchFile{FetchFile: &pluginv1.FetchFile{
				Path: "/a", Url: "a/b", Sha256: strings.Repeat("0", 64),
			}}},
			want: "action 0: the file to fetch in it: error: url: this is not an http, https or file URL",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := wired.FromActions(t.Context(), []*pluginv1.Action{tc.message}); err == nil || err.Error() != tc.want {
				t.Errorf("the error is %v, want %s: %s", err, tc.want, tc.reason)
			}
		})
	}
}

// add adds a seed. Long ones are changed too seldom where it matters.
func add(f *testing.F, data []byte) {
	f.Helper()
	if len(data) < 4096 {
		f.Add(data)
	}
}

// seeds are messages of all operations.
func seeds(f *testing.F) {
	f.Helper()
	for _, s := range portstest.Actions(target(f)) {
		if s.Do == nil {
			continue
		}
		messages, err := wired.Actions([]action.Action{{Do: s.Do}})
		if err != nil {
			f.Fatal(err)
		}
		data, err := proto.Marshal(&pluginv1.ExpandResponse{
			Actions:  messages,
			Findings: wire.Findings(report.Report{report.Errorf("a", "b")}),
		})
		if err != nil {
			f.Fatal(err)
		}
		add(f, data)
	}
}

// FuzzWireActions checks that no answer of a plugin crashes the host, and that accepted answers can be encoded again.
func FuzzWireActions(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var answer pluginv1.ExpandResponse
		if proto.Unmarshal(data, &answer) != nil {
			return
		}
		for _, finding := range wire.FromFindings(answer.GetFindings()) {
			if finding.Severity < report.Info || finding.Severity > report.Error {
				t.Errorf("a finding of the severity %d", finding.Severity)
			}
		}
		actions, err := wired.FromActions(t.Context(), answer.GetActions())
		if err != nil {
			return
		}
		again, err := wired.Actions(actions)
		if err != nil {
			t.Fatalf("the decoded actions cannot be encoded: %v", err)
		}
		if _, err := wired.FromActions(t.Context(), again); err != nil {
			t.Errorf("the encoded actions cannot be decoded: %v", err)
		}
	})
}

// FuzzWireDocument holds that no request crashes a plugin.
func FuzzWireDocument(f *testing.F) {
	for _, s := range portstest.Documents(target(f)) {
		m, err := wired.Document(document.Document{Value: s.Document})
		if err != nil {
			f.Fatal(err)
		}
		data, err := proto.Marshal(&pluginv1.ExpandRequest{
			Document: m, Others: []*pluginv1.Document{m},
			Target: wire.Target(target(f)),
		})
		if err != nil {
			f.Fatal(err)
		}
		add(f, data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var request pluginv1.ExpandRequest
		if proto.Unmarshal(data, &request) != nil {
			return
		}
		wire.FromTarget(request.GetTarget())
		if _, err := wired.FromDocuments(t.Context(), request.GetOthers()); err != nil && request.GetDocument() == nil {
			return
		}
		d, err := wired.FromDocument(t.Context(), request.GetDocument())
		if err != nil {
			return
		}
		if _, err := wired.Document(d); err != nil {
			t.Errorf("the decoded actions cannot be encoded: %v", err)
		}
	})
}
