package bootscript_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// shells are the implementations of /bin/sh on the systems of our profiles.
func shells() []string { return []string{"dash", "bash"} }

func step(path string, op action.Operation) plan.SourcedStep {
	return plan.SourcedStep{
		Step:   plan.Step{Phase: op.Phase(), Do: op},
		Source: document.Source{Path: report.Path(path)},
	}
}

func command(phase document.Phase, path, script string) plan.SourcedStep {
	return step(path, action.RunCommand{Name: path, Script: script, When: phase})
}

// root is a directory that replaces the root of the machine: absolute paths of the program are moved below it.
type root struct{ dir string }

func newRoot(t *testing.T) root {
	t.Helper()
	r := root{dir: t.TempDir()}
	for _, d := range []string{"var/lib", "var/log", "run", "etc/machineadm"} {
		if err := os.MkdirAll(filepath.Join(r.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r root) run(t *testing.T, shell string, program []byte) (exitCode int, output string) {
	t.Helper()
	for _, d := range []string{
		bootscript.StateDir, "/run/cluster-api", bootscript.LogFile, delivery.ResumeUnitPath, bootscript.InstallationMarker,
	} {
		program = bytes.ReplaceAll(program, []byte(d), []byte(r.dir+d))
	}
	if err := os.WriteFile(r.program(), program, 0o700); err != nil {
		t.Fatal(err)
	}
	return r.reboot(t, shell)
}

func (r root) program() string { return filepath.Join(r.dir, "program") }

// reboot runs the program that is installed.
func (r root) reboot(t *testing.T, shell string) (exitCode int, output string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), shell, r.program()).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode(), string(out)
	}
	return 0, string(out)
}

func (r root) exists(path string) bool {
	_, err := os.Stat(r.dir + path)
	return err == nil
}

type record struct {
	Phase    string `json:"phase"`
	Step     string `json:"step"`
	ExitCode int    `json:"exitCode"`
	Log      string `json:"log"`
}

func (r root) record(t *testing.T) record {
	t.Helper()
	data, err := os.ReadFile(r.dir + bootscript.FailureRecord)
	if err != nil {
		t.Fatal(err)
	}
	var rec record
	if err := json.Unmarshal(data, &rec); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return rec
}

func mustProgram(t *testing.T, steps []plan.SourcedStep, o bootscript.Options) []byte {
	t.Helper()
	program, findings := bootscript.Program(steps, o)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return program
}

func TestSuccessLeavesSentinelAndRunsOnce(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			count := filepath.Join(r.dir, "count")
			program := mustProgram(t, []plan.SourcedStep{
				command(document.PhasePre, "spec.machine.preCommands[0]", "echo ran>>"+count+"; exit 0; echo not reached"),
				command(document.PhaseJoin, "spec.node", "echo joined>>"+count),
			}, bootscript.Options{})
			if code, out := r.run(t, shell, program); code != 0 {
				t.Fatalf("exit code %d: %s", code, out)
			}
			for _, again := range []func() (int, string){
				func() (int, string) { return r.reboot(t, shell) },
				func() (int, string) { return r.run(t, shell, program) },
			} {
				if !r.exists(bootscript.Sentinel) || r.exists(bootscript.FailureRecord) {
					t.Error("want the sentinel and no failure record")
				}
				_ = os.RemoveAll(r.dir + "/run/cluster-api") // as a reboot does
				if code, out := again(); code != 0 {
					t.Fatalf("exit code %d: %s", code, out)
				}
			}
			got, _ := os.ReadFile(count)
			if diff := cmp.Diff("ran\njoined\n", string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSecretsOfTheStepsAreGoneAfterSuccess(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			program := mustProgram(t, []plan.SourcedStep{command(document.PhasePre, "a", ": canary")}, bootscript.Options{})
			if code, out := r.run(t, shell, program); code != 0 {
				t.Fatal(out)
			}
			if left, err := os.ReadFile(r.program()); err != nil || strings.Contains(string(left), "canary") {
				t.Errorf("%v: %s", err, left)
			}
		})
	}
}

func TestFirstFailureEndsTheBootstrap(t *testing.T) {
	cases := map[string]struct {
		reason string
		script string
		code   int
	}{
		"exit code":    {reason: "a command's exit code is kept", script: "exit 7", code: 7},
		"last command": {reason: "a script ends with its last command's code", script: "true\nfalse", code: 1},
		"errexit":      {reason: "a script that sets -e ends where it fails", script: "set -e\n(exit 5)\ntrue", code: 5},
		"syntax":       {reason: "a syntax error stays inside its step", script: "if then fi ((", code: 2},
		"missing":      {reason: "a missing program is a failure", script: "no-such-program", code: 127},
	}
	for name, tc := range cases {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r := newRoot(t)
				program := mustProgram(t, []plan.SourcedStep{
					command(document.PhasePre, "spec.machine.preCommands[0]", tc.script),
					command(document.PhaseJoin, "spec.node", "touch "+r.dir+"/joined"),
				}, bootscript.Options{})
				code, _ := r.run(t, shell, program)
				if code == 0 || r.exists("/joined") || r.exists(bootscript.Sentinel) {
					t.Errorf("%s: exit code %d, joined %v, sentinel %v", tc.reason, code, r.exists("/joined"),
						r.exists(bootscript.Sentinel))
				}
				got := r.record(t)
				if got.Phase != "pre" || got.Step != "spec.machine.preCommands[0]" ||
					(got.ExitCode != tc.code && name != "syntax") {
					t.Errorf("%s: %+v", tc.reason, got)
				}
			})
		}
	}
}

func TestInterruptedRunFailsLoudly(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			if err := os.MkdirAll(r.dir+bootscript.StateDir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(r.dir+delivery.StartedPath, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			code, _ := r.run(t, shell, mustProgram(t, nil, bootscript.Options{}))
			if got := r.record(t); code == 0 || got.Step != "interrupted" || r.exists(bootscript.Sentinel) {
				t.Errorf("exit code %d, record %+v", code, got)
			}
		})
	}
}

func TestRecordKeepsTheFirstCauseAfterAReboot(t *testing.T) {
	r := newRoot(t)
	program := mustProgram(t, []plan.SourcedStep{command(document.PhasePost, "spec.machine.postCommands[0]", "exit 3")},
		bootscript.Options{})
	r.run(t, "dash", program)
	if err := os.RemoveAll(r.dir + "/run/cluster-api"); err != nil {
		t.Fatal(err)
	}
	if code, _ := r.run(t, "dash", program); code == 0 {
		t.Error("a failed bootstrap must not pass at the next boot")
	}
	if got := r.record(t); got.ExitCode != 3 || got.Phase != "post" {
		t.Errorf("got %+v", got)
	}
}

func TestLogTailIsRedactedJSON(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			program := mustProgram(t, []plan.SourcedStep{
				command(document.PhaseJoin, `spec.x["a\"b"]`,
					`printf 'quote " back \\ tab\t bell \a %%s\nabcdef.canary7q9zk2xw5v\n'; exit 1`),
			}, bootscript.Options{})
			_, output := r.run(t, shell, program)
			got := r.record(t)
			if got.Step != `spec.x["a\"b"]` {
				t.Errorf("step %q", got.Step)
			}
			if strings.Contains(got.Log+output, "canary7q9zk2xw5v") || !strings.Contains(got.Log, "[redacted]") {
				t.Errorf("log %q, output %q", got.Log, output)
			}
			if !strings.Contains(got.Log, `quote " back \ tab bell  %s`) {
				t.Errorf("log %q", got.Log)
			}
		})
	}
}

func everyByte() []byte {
	b := make([]byte, 0, 512)
	for i := range 256 {
		b = append(b, byte(i), 'x')
	}
	return b
}

func TestFilesArriveByteForByte(t *testing.T) {
	contents := map[string][]byte{
		"empty": nil, "every byte": everyByte(), "crlf": []byte("a\r\nb\r\n"), "no final newline": []byte("a"),
		"leading blanks": []byte("  \t a\n\n"), "format": []byte("%s %d %% \\n $HOME `id` ' \" {{ }}"),
		"high": []byte("\x81\x82\x88 é 日本\n"), "large": bytes.Repeat([]byte("0123456789abcde\n"), 1<<16),
	}
	for name, want := range contents {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r := newRoot(t)
				path := r.dir + "/etc/it's a $file"
				file := machine.File{Path: path, Content: document.Literal(want), Mode: 0o640}
				program := mustProgram(t, []plan.SourcedStep{step("spec.machine.files[0]", action.WriteFile{File: file})},
					bootscript.Options{})
				if code, out := r.run(t, shell, program); code != 0 {
					t.Fatalf("exit code %d: %.2000s", code, out)
				}
				got, err := os.ReadFile(path)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%v: got %d bytes, want %d", err, len(got), len(want))
				}
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
					t.Errorf("mode %v, %v", info, err)
				}
			})
		}
	}
}

func TestFactsAreFilledIn(t *testing.T) {
	known := func(f document.Fact) (string, bool) { return "echo node-1", f == document.FactHostname }
	content := document.Join(document.Text("name: '"), document.FromFact(document.FactHostname), document.Text("'\n"))
	r := newRoot(t)
	file := machine.File{Path: r.dir + "/etc/x", Content: content}
	program := mustProgram(t, []plan.SourcedStep{step("p", action.WriteFile{File: file})}, bootscript.Options{Fact: known})
	if code, out := r.run(t, "dash", program); code != 0 {
		t.Fatal(out)
	}
	if got, _ := os.ReadFile(r.dir + "/etc/x"); string(got) != "name: 'node-1'\n" {
		t.Errorf("got %q", got)
	}
	file.Content = document.FromFact(document.FactZone)
	_, findings := bootscript.Program([]plan.SourcedStep{step("p", action.WriteFile{File: file})},
		bootscript.Options{Fact: known})
	if !findings.HasErrors() || findings[0].Path != "p" {
		t.Errorf("an unknown fact must be refused at its path, got %v", findings)
	}
}

func TestAnEmptyFactFails(t *testing.T) {
	nothing := func(document.Fact) (string, bool) { return "true", true }
	r := newRoot(t)
	file := machine.File{Path: r.dir + "/etc/x", Content: document.FromFact(document.FactHostname)}
	program := mustProgram(t, []plan.SourcedStep{step("p", action.WriteFile{File: file})},
		bootscript.Options{Fact: nothing})
	if code, _ := r.run(t, "dash", program); code == 0 || r.exists("/etc/x") {
		t.Errorf("exit code %d, file there: %v", code, r.exists("/etc/x"))
	}
}
