package cloudinit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

func withSnippets(snippets []plan.Snippet, actions ...action.Action) plan.Plan {
	p := planned(target(), actions...)
	p.Snippets = snippets
	return p
}

func TestSnippetIsCarriedOut(t *testing.T) {
	snippets := []plan.Snippet{{Snippet: delivery.Snippet{
		Format: delivery.FormatCloudInit, Strict: true, Text: `#cloud-config
bootcmd: [[cloud-init-per, once, mine, sh, -c, "echo bootcmd >>/var/log/phases"]]
write_files:
- {path: /etc/mine, content: "mine: {{ x }}", permissions: "0640"}
runcmd:
- echo runcmd >>/var/log/phases
users:
- default
- name: other
timezone: Europe/Zurich
`,
	}}}
	eachSuite(t, bookworm, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.boot(t, renderPlan(t, withSnippets(snippets, file("/etc/ours", "ours"),
			run(document.PhasePre, "echo pre >>/var/log/phases"), join())))
		if !m.sentinel() {
			t.Fatalf("no sentinel\n%s", m.Log())
		}
		if diff := cmp.Diff("bootcmd\npre\nruncmd\n", m.Read(t, "/var/log/phases")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff("mine: {{ x }}ours", m.Read(t, "/etc/mine")+m.Read(t, "/etc/ours")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff("/home/debian/home/other", m.account(t, "/etc/passwd", "debian")[5]+m.account(t, "/etc/passwd",
			"other")[5]); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSnippetsRuncmdDoesNotFollowAFailure(t *testing.T) {
	snippets := []plan.Snippet{{Snippet: delivery.Snippet{
		Format: delivery.FormatCloudInit,
		Text:   "runcmd: [touch /etc/went-on]\nwrite_files: [{path: /etc/passwd/x}]\n",
	}}}
	eachSuite(t, trixie, func(t *testing.T, suite string) {
		m := newMachine(t, suite)
		m.boot(t, renderPlan(t, withSnippets(snippets, join())))
		if got := m.failure(t); got.Step != "write_files" {
			t.Errorf("a file of the snippet that cannot be written gives %+v", got)
		}
		if m.Exists("/etc/went-on") || m.sentinel() {
			t.Error("runcmd went on")
		}
	})
}
