package cloudinit_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/cloudinit"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
)

// dialectPlan is a plan with a step for each key that the whole language has.
func dialectPlan(c delivery.CloudConfig, texts ...string) plan.Plan {
	p := withSnippets(planOf(
		file("/etc/a", "a: runcmd:\n"),
		action.Action{Do: action.EnsureGroup{Group: machine.Group{Name: "g", GID: new(77)}}},
		action.Action{Do: action.EnsureUser{User: machine.User{Name: "u"}}},
		action.Action{Do: action.RunCommand{Name: "c", Script: "echo joined", When: document.PhaseJoin}},
	), texts...)
	p.CloudConfig = c
	return p
}

// TestAppendableStartsWithCommands holds the form that providers insert commands into: the first "runcmd:" is the key,
// and its items are indented by two spaces.
func TestAppendableStartsWithCommands(t *testing.T) {
	p := dialectPlan(delivery.CloudConfig{Appendable: true}, "runcmd:\n- |\n  a\n   \n  b\n")
	data := string(render(t, p).Payload.Data.Reveal())
	if !strings.HasPrefix(data, "#cloud-config\nruncmd:\n  - ") {
		t.Errorf("it begins with %.60q", data)
	}
	whole, appendable := read(t, render(t, dialectPlan(delivery.CloudConfig{}, p.Snippets[0].Text)).Payload.Data.Reveal()),
		read(t, []byte(data))
	if len(appendable.Runcmd) != 2 || appendable.Runcmd[1] != "a\n \nb\n" {
		t.Errorf("runcmd: %q", appendable.Runcmd)
	}
	if len(whole.WriteFiles) != len(appendable.WriteFiles) || len(whole.Bootcmd) != len(appendable.Bootcmd) ||
		len(whole.Users) != len(appendable.Users) {
		t.Errorf("other content: %+v, want %+v", appendable, whole)
	}
}

// TestMinimalHasOnlyFilesAndCommands holds the form that simple parsers read.
func TestMinimalHasOnlyFilesAndCommands(t *testing.T) {
	c := delivery.CloudConfig{Minimal: true, InitFile: "/run/init", JoinFile: "/run/join"}
	for _, initializes := range []bool{false, true} {
		p := dialectPlan(c)
		p.Initializes = initializes
		data := render(t, p).Payload.Data.Reveal()
		u := read(t, data)
		if len(u.Bootcmd)+len(u.Users)+len(u.Groups) > 0 || len(u.Runcmd) != 1 || len(u.WriteFiles) != 3 {
			t.Fatalf("%s", data)
		}
		command, isText := u.Runcmd[0].(string)
		if !isText || strings.ContainsAny(command, "\n\"'$`\\") {
			t.Errorf("another shell may change the command %v", u.Runcmd[0])
		}
		for _, f := range u.WriteFiles {
			if f.Encoding != "" || f.Defer || f.Append || f.Owner != "root:root" || f.Permissions == "" {
				t.Errorf("a simple parser does not read %+v", f)
			}
		}
		wantPath, wantWord := "/run/join", "kubeadm join"
		if initializes {
			wantPath, wantWord = "/run/init", "kubeadm init"
		}
		if marker := u.WriteFiles[1]; marker.Path != wantPath || !strings.Contains(marker.Content, wantWord) {
			t.Errorf("the marker is %+v, want %s", marker, wantPath)
		}
		if strings.Contains(string(data), "kubeadm join") == initializes {
			t.Errorf("the provider takes the machine for another one (initializes: %t)", initializes)
		}
	}
}

func TestSnippetsInDialects(t *testing.T) {
	kept := delivery.CloudConfig{Minimal: true, WithoutCloudInit: true, Kept: []string{"write_files", "runcmd"}}
	lost := delivery.CloudConfig{Minimal: true, Lost: []string{"bootcmd"}}
	cases := map[string]struct {
		reason  string
		dialect delivery.CloudConfig
		text    string
		want    string
	}{
		"lost key": {
			"another bootcmd replaces it", lost, "bootcmd: [a]", "does not pass the key bootcmd on",
		},
		"other key":      {"the parser does not read it", kept, "packages: [jq]", "does not pass the key packages on"},
		"key that stays": {"only bootcmd is lost", lost, "packages: [jq]", ""},
		"list as command": {
			"the parser reads strings", kept, "runcmd: [[echo, a]]", "only commands that are strings of one line",
		},
		"command of two lines": {
			"lines are indented one by one", kept, "runcmd: [\"a\\nb\"]", "only commands that are strings of one line",
		},
		"encoding": {
			"the parser does not decode", kept, "write_files: [{path: /a, encoding: b64, content: YQ==}]",
			"only path, owner, permissions and content",
		},
		"file that is not a mapping": {
			"the parser needs a path", kept, "write_files: [a]", "only path, owner, permissions and content",
		},
		"simple": {
			"the parser reads it", kept, "write_files: [{path: /a, content: a}]\nruncmd: [echo a]", "",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings, err := cloudinit.Renderer{}.Render(t.Context(), dialectPlan(c.dialect, c.text))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(findings) > 0 {
				got = findings[0].String()
			}
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

// TestPlaceholdersAreNotCompressed renders a long file with text that the provider replaces.
func TestPlaceholdersAreNotCompressed(t *testing.T) {
	long := strings.Repeat("0123456789abcdef\n", 1000)
	for text, readable := range map[string]bool{long + "ID\n": true, long: false} {
		p := planOf(file("/etc/long", text))
		p.Placeholders = delivery.Placeholders{"ID"}
		data := string(render(t, p).Payload.Data.Reveal())
		if strings.Contains(data, "0123456789abcdef") != readable {
			t.Errorf("the file of %d bytes is readable: %t, want %t", len(text), !readable, readable)
		}
	}
}
