package shell_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// FuzzRender uses arbitrary bytes in every text field. Documents that validation refuses are skipped. A shell must read
// each step as one call and each command unchanged, and the text of each step must parse.
func FuzzRender(f *testing.F) {
	f.Add("/etc/a", []byte("content"), "user", "Comment", "echo hi", "[Service]\n", "/mnt/data", "label")
	f.Add("/etc/it's a #b", []byte("\x00\xff\r\n' END\nEND\n"), "yes", `O'Neil "Jr" $x`, "cat <<'END'\n\x81\nEND\n",
		"a\\\n'", "/mnt/a b", "it's")
	f.Add("/etc/{{ x }}", []byte{}, "_x", "-n", "if true; then\r\n :; fi", "%n", "/mnt/\n", "--")
	f.Fuzz(func(t *testing.T, at string, content []byte, name, comment, script, unit, mount, label string) {
		p := valid(t, []pair{
			{machine.File{Path: at, Content: document.Literal(content)}, func(v document.Value) action.Operation {
				return action.WriteFile{File: v.(machine.File)}
			}},
			{machine.User{
				Name: name, Comment: comment, SSHAuthorizedKeys: []string{comment},
				Sudo: comment,
			}, func(v document.Value) action.Operation { return action.EnsureUser{User: v.(machine.User)} }},
			{machine.Unit{Name: "a.service", Content: document.Text(unit)}, func(v document.Value) action.Operation {
				return action.EnsureUnit{Unit: v.(machine.Unit)}
			}},
			{machine.Mount{Source: "/dev/vdb", Path: mount}, func(v document.Value) action.Operation {
				return action.MountFilesystem{Mount: v.(machine.Mount)}
			}},
			{
				machine.Filesystem{Device: "/dev/vdb", Format: "ext4", Label: label, Options: []string{label}},
				func(v document.Value) action.Operation {
					return action.MakeFilesystem{Filesystem: v.(machine.Filesystem)}
				},
			},
			{machine.Command{Phase: document.PhasePre, Script: script}, func(document.Value) action.Operation {
				return run(document.PhasePre, script)
			}},
			{machine.Command{Phase: document.PhaseBoot, Script: script}, func(document.Value) action.Operation {
				return run(document.PhaseBoot, script)
			}},
		})
		rendering, findings, err := shell.Renderer{}.Render(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if findings.HasErrors() {
			if !rendering.Payload.Data.IsZero() {
				t.Fatal("a payload in spite of errors")
			}
			return
		}
		readBack(t, p, calls(t, program(t, rendering.Payload.Data.Reveal())))
	})
}

// pair is a value and its operation.
type pair struct {
	value     document.Value
	operation func(document.Value) action.Operation
}

func valid(t *testing.T, pairs []pair) plan.Plan {
	t.Helper()
	var docs []document.Document
	var expansions []plan.Expansion
	for i, x := range pairs {
		d := document.Document{Value: x.value, Source: document.Source{Path: report.Path("steps").Index(i)}}
		if !d.Check().HasErrors() {
			docs, expansions = append(docs, d), append(expansions, plan.Expansion{Actions: action.Of(x.operation(x.value))})
		}
	}
	return plan.New(target(t, "debian"), docs, expansions)
}

// readBack looks up each step of the plan in the steps that the shell has read.
func readBack(t *testing.T, p plan.Plan, steps []call) {
	t.Helper()
	for _, s := range p.Steps {
		source := string(p.Source(s).Path)
		i := slices.IndexFunc(steps, func(c call) bool { return c.path == source })
		if i < 0 {
			t.Fatalf("no step for %s", source)
		}
		switch op := s.Do.(type) {
		case action.RunCommand:
			if s.Phase == document.PhasePre && steps[i].script != op.Script {
				t.Errorf("%q became %q", op.Script, steps[i].script)
			}
		case action.WriteFile:
			content, _ := op.Content.Static()
			if got := printed(t, op.Path, steps[i].script); len(content) > 0 && got != string(content) {
				t.Errorf("%q became %q", content, got)
			}
		default:
			// The shell parses the body of a function but does not run it.
			read(t, "f(){\n"+steps[i].script+"\n}\n")
		}
	}
}

// printed runs the part of a step that prints the content of a file. It needs only builtins and base64.
func printed(t *testing.T, at, script string) string {
	t.Helper()
	content, makes := strings.CutPrefix(script, "mkdir -p "+bootscript.Quote(path.Dir(at))+"&&(umask 077&&")
	end := ">" + bootscript.Quote(linuxcmd.Temporary(at)) + ")"
	if !makes {
		// The program enters a directory first if other users may own a parent directory.
		content, makes = strings.CutPrefix(script, "_enter_parent "+bootscript.Quote(at)+"&&(umask 077&&")
		end = `>"$_temporary")`
	}
	content, _, puts := strings.Cut(content, end)
	if !makes || !puts {
		t.Fatalf("this writes no %q: %q", at, script)
	}
	return read(t, content)
}
