package shell_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// planOf returns the plan of the operations. Each comes from a separate document at steps[i].
func planOf(t osprofile.Target, operations ...action.Operation) plan.Plan {
	docs := make([]document.Document, len(operations))
	expansions := make([]plan.Expansion, len(operations))
	for i, op := range operations {
		docs[i] = document.Document{
			Value:  machine.Command{Phase: document.PhasePre},
			Source: document.Source{Path: report.Path("steps").Index(i)},
		}
		expansions[i] = plan.Expansion{Actions: action.Of(op)}
	}
	return plan.New(t, docs, expansions)
}

func render(t testing.TB, operations ...action.Operation) ports.Rendering {
	t.Helper()
	rendering, findings, err := shell.Renderer{}.Render(t.Context(), planOf(target(t, "debian"), operations...))
	if err != nil || findings.HasErrors() {
		t.Fatalf("%v\n%s", err, findings)
	}
	return rendering
}

func run(phase document.Phase, script string) action.Operation {
	return action.RunCommand{Name: "run", Script: script, When: phase}
}

func file(path, content string) action.Operation {
	return action.WriteFile{File: machine.File{Path: path, Content: document.Text(content)}}
}

func TestPayload(t *testing.T) {
	got := render(t, run(document.PhasePre, "true")).Payload
	if got.Format != shell.Format || got.SecretFormat != delivery.SecretFormatNone || got.FileExtension != ".sh" {
		t.Errorf("payload %+v", got)
	}
	if !strings.HasPrefix(string(got.Data.Reveal()), "#!/bin/sh\n") {
		t.Errorf("it is no script: %.40q", got.Data.Reveal())
	}
}

func TestOutputPathOfEachStep(t *testing.T) {
	got := render(t, file("/etc/a", "a"), run(document.PhaseBoot, "one"), run(document.PhaseBoot, "two"),
		action.EnsureGroup{Group: machine.Group{Name: "g"}}).Places
	want := []string{
		"program: user steps[3]", "program: file steps[0]", "program: boot steps[1]",
		"program: boot steps[1]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSupports(t *testing.T) {
	unversioned := target(t, "debian")
	unversioned.FormatVersion = "1.0.0"
	cases := map[string]struct {
		reason string
		target osprofile.Target
		want   report.Report
	}{
		"debian":  {reason: "every Linux has a shell", target: target(t, "debian")},
		"flatcar": {reason: "no profile names the format", target: target(t, "flatcar")},
		"unknown": {reason: "nothing is known of it", target: osprofile.Target{}},
		"talos": {
			reason: "it has none", target: target(t, "talos"),
			want: report.Report{report.Errorf("spec.format", "Talos Linux has no POSIX shell").To("use talos")},
		},
		"windows": {
			reason: "it has another", target: target(t, "windows-server-2025"),
			want: report.Report{report.Errorf("spec.format", "Windows Server 2025 has no POSIX shell").To("use cloudbase-init")},
		},
		"version": {
			reason: "POSIX has one shell", target: unversioned,
			want: report.Report{report.Errorf("spec.formatOptions.version",
				"shell has no versions, but version 1.0.0 is requested").
				To("leave the version out")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, shell.Renderer{}.Supports(tc.target, "spec")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	plain := target(t, "debian")
	withSnippet := planOf(plain, run(document.PhasePre, "true"))
	withSnippet.Snippets = []plan.Snippet{{
		Snippet: delivery.Snippet{Format: shell.Format, Text: "true"},
		Source:  document.Source{Path: "snippets[0]"},
	}}
	cases := map[string]struct {
		reason string
		plan   plan.Plan
		want   report.Report
	}{
		"snippet": {
			reason: "a script cannot be merged into another", plan: withSnippet,
			want: report.Report{report.Errorf("snippets[0]", "the format shell does not support snippets").To(
				"use the commands of the machine")},
		},
		"mount": {
			reason: "the program keeps its state below it",
			plan:   planOf(plain, action.MountFilesystem{Mount: machine.Mount{Source: "/dev/vdb", Path: "/var/lib"}}),
			want: report.Report{report.Errorf("steps[0]", "the system runs from /var/lib, and nothing can be mounted over it").
				To("mount a directory below it, or add the mount to the image")},
		},
		"sudo": {
			reason: "it would take the next rule with it", plan: planOf(plain,
				action.EnsureUser{User: machine.User{Name: "a", Sudo: `ALL=(ALL) ALL\`}}),
			want: report.Report{report.Errorf("steps[0]", "a backslash at the end of a sudo rule joins it with the next rule").
				To("remove it")},
		},
		"NUL": {
			reason: "no shell has it", plan: planOf(plain, run(document.PhasePre, "a\x00b")),
			want: report.Report{report.Errorf("steps[0]", "a command cannot contain a NUL byte").To("remove it")},
		},
		"fact": {
			reason: "only a metadata service knows the zone",
			plan: planOf(plain, action.WriteFile{File: machine.File{
				Path:    "/a",
				Content: document.FromFact(document.FactZone),
			}}),
			want: report.Report{report.Errorf("steps[0]", "the machine's zone is not known in this format").To(
				"use one of the facts in docs/facts.md that the format knows, or write the value")},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rendering, findings, err := shell.Renderer{}.Render(t.Context(), tc.plan)
			if err != nil || !rendering.Payload.Data.IsZero() {
				t.Errorf("%s: a payload, or %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, findings); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEveryByteReachesTheProgram compares the program that a shell reads with the original. The cases include bytes
// that some shells change, and a line that equals the delimiter.
func TestEveryByteReachesTheProgram(t *testing.T) {
	for name, script := range map[string]string{
		"plain": "echo 'it''s' \"$HOME\" `id` \\\n", "end": "cat <<'END'\ntext\nEND\n", "ends": "cat <<'END'\nEND_\nEND\n",
		"high":    "echo \x81\x88\xff é",
		"control": "echo \a\x01\x7f", "carriage return": "echo a\r\n", "no newline": "echo", "main": "main\nmain\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := calls(t, program(t, render(t, run(document.PhasePre, script)).Payload.Data.Reveal()))
			if diff := cmp.Diff([]call{{phase: "pre", path: "steps[0]", script: script}}, got,
				cmp.AllowUnexported(call{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func BenchmarkWorker(b *testing.B) {
	p := planOf(target(b, "debian"), file("/etc/machineadm/kubeadm.yaml", strings.Repeat("key: value\n", 40)),
		run(document.PhaseJoin, "kubeadm join"))
	b.ReportAllocs()
	for b.Loop() {
		if _, findings, err := (shell.Renderer{}).Render(b.Context(), p); err != nil || findings.HasErrors() {
			b.Fatal(err, findings)
		}
	}
}
