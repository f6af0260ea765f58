package action_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// TestCheck names the fields of operations that cannot be applied.
func TestCheck(t *testing.T) {
	sum := strings.Repeat("0", 64)
	fetch := func(change func(*action.FetchFile)) action.Operation {
		f := action.FetchFile{Path: "/a", URL: "https://a/b", SHA256: sum}
		change(&f)
		return f
	}
	command := func(change func(*action.RunCommand)) action.Operation {
		c := action.RunCommand{Name: "n", Script: "true", When: document.PhasePre}
		change(&c)
		return c
	}
	cases := map[string]struct {
		reason string
		op     action.Operation
		want   []report.Path
	}{
		"directory":        {op: action.MakeDirectory{Path: "/a/b", Mode: 0o1777, Owner: machine.Owner{User: "u"}}},
		"directory below":  {"", action.MakeDirectory{Path: "a/b"}, []report.Path{"op.path"}},
		"directory above":  {"", action.MakeDirectory{Path: "/a/../b"}, []report.Path{"op.path"}},
		"directory's mode": {"", action.MakeDirectory{Path: "/a", Mode: 0o10000}, []report.Path{"op.mode"}},
		"directory's owner": {"it would be an option of chown", action.MakeDirectory{
			Path:  "/a",
			Owner: machine.Owner{User: "-R"},
		}, []report.Path{"op.owner"}},
		"link":               {op: action.Link{Path: "/a", Target: "../b"}},
		"link's path":        {"", action.Link{Path: "", Target: "/b"}, []report.Path{"op.path"}},
		"link to nothing":    {"", action.Link{Path: "/a"}, []report.Path{"op.target"}},
		"link to a NUL byte": {"", action.Link{Path: "/a", Target: "b\x00"}, []report.Path{"op.target"}},
		"link too far":       {"", action.Link{Path: "/a", Target: strings.Repeat("x", 4096)}, []report.Path{"op.target"}},
		"file":               {op: fetch(func(*action.FetchFile) {})},
		"file's other sum":   {op: fetch(func(f *action.FetchFile) { f.SHA256, f.SHA512 = "", sum+sum })},
		"file's path":        {"", fetch(func(f *action.FetchFile) { f.Path = "/a/" }), []report.Path{"op.path"}},
		"file's mode":        {"", fetch(func(f *action.FetchFile) { f.Mode = 0o77777 }), []report.Path{"op.mode"}},
		"file's address":     {"", fetch(func(f *action.FetchFile) { f.URL = "ftp://a/b" }), []report.Path{"op.url"}},
		"file's password": {
			"it would be seen", fetch(func(f *action.FetchFile) { f.URL = "https://u:p@a/b" }),
			[]report.Path{"op.url"},
		},
		"no digest": {
			"nothing unverified becomes a file", fetch(func(f *action.FetchFile) { f.SHA256 = "" }),
			[]report.Path{"op"},
		},
		"SHA-256": {
			"", fetch(func(f *action.FetchFile) { f.SHA256 = strings.Repeat("A", 64) }),
			[]report.Path{"op.sha256"},
		},
		"SHA-512": {
			"", fetch(func(f *action.FetchFile) { f.SHA256, f.SHA512 = "", sum }),
			[]report.Path{"op.sha512"},
		},
		"both, one wrong": {
			"a format takes the one that it knows", fetch(func(f *action.FetchFile) { f.SHA512 = sum }),
			[]report.Path{"op.sha512"},
		},
		"command": {op: command(func(*action.RunCommand) {})},
		"command's name": {
			"a summary is one line", command(func(c *action.RunCommand) { c.Name = "a\nb" }),
			[]report.Path{"op.name"},
		},
		"command's phase": {"", command(func(c *action.RunCommand) { c.When = 0 }), []report.Path{"op.when"}},
		"no script":       {"", command(func(c *action.RunCommand) { c.Script = " \n" }), []report.Path{"op.script"}},
		"script":          {"", command(func(c *action.RunCommand) { c.Script = "a\x00" }), []report.Path{"op.script"}},
		"way back":        {"", command(func(c *action.RunCommand) { c.Undo = "a\x00" }), []report.Path{"op.undo"}},
		"renewal":         {"", command(func(c *action.RunCommand) { c.Renew = "a\x00" }), []report.Path{"op.renew"}},
		"a document's": {
			"what is a document checks itself",
			action.WriteFile{File: machine.File{Path: "a"}},
			[]report.Path{"op.path"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []report.Path
			for _, f := range c.op.Check("op") {
				got = append(got, f.Path)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
