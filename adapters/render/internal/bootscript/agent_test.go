package bootscript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestAgentResumes interrupts the agent after its start. The program leaves later boots to the agent. After the
// agent has succeeded, the remaining program only creates the sentinel.
func TestAgentResumes(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			o := bootscript.Options{Agent: true}
			steps := []plan.SourcedStep{
				command(document.PhaseFile, "spec.delivery.agent", "echo secret >/dev/null"),
				command(document.PhaseJoin, "spec.delivery", "exit 9"),
			}
			if code, out := r.run(t, shell, mustProgram(t, steps, o)); code != 9 {
				t.Fatalf("exit code %d: %s", code, out)
			}
			if err := os.Remove(filepath.Join(r.dir, "run/cluster-api/bootstrap-failure.json")); err != nil {
				t.Fatal(err)
			}
			r.put(t, delivery.ResumeUnitPath)
			if code, out := r.reboot(t, shell); code != 0 || r.exists(bootscript.FailureRecord) ||
				r.exists(bootscript.Sentinel) {
				t.Errorf("an agent that goes on: exit code %d: %s", code, out)
			}
			r.put(t, "/var/lib/machineadm/done")
			// The shorter program cannot be written, as on a full disk. The program must succeed anyway.
			if err := os.Mkdir(r.program()+".new", 0o700); err != nil {
				t.Fatal(err)
			}
			if code, out := r.reboot(t, shell); code != 0 || !r.exists(bootscript.Sentinel) {
				t.Errorf("without room: exit code %d: %s", code, out)
			}
			if err := os.Remove(r.program() + ".new"); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if code, out := r.reboot(t, shell); code != 0 || !r.exists(bootscript.Sentinel) {
					t.Errorf("an agent that is done: exit code %d: %s", code, out)
				}
				if text, err := os.ReadFile(r.program()); err != nil || strings.Contains(string(text), "secret") {
					t.Errorf("the program is still there: %v", err)
				}
			}
		})
	}
}

// TestAgentIsStopped checks that a shutdown is not a failure: neither the bootstrap program nor the starter records
// one.
func TestAgentIsStopped(t *testing.T) {
	stopped := command(document.PhaseJoin, "spec.delivery", "exit 143")
	for name, steps := range map[string][]plan.SourcedStep{
		"starter": {stopped},
		"program": {command(document.PhaseFile, "spec.delivery.agent", ":"), stopped},
	} {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r := newRoot(t)
				o := bootscript.Options{Agent: true}
				code, out := r.run(t, shell, mustProgram(t, steps, o))
				if code != 143 || r.exists(bootscript.FailureRecord) || r.exists(bootscript.StateDir+"/failure.json") ||
					r.exists(bootscript.Sentinel) {
					t.Errorf("exit code %d: %s", code, out)
				}
			})
		}
	}
}

// TestStarter checks a program that only starts the agent: it records an early failure of the agent and leaves the rest
// to the agent.
func TestStarter(t *testing.T) {
	cases := map[string]struct {
		reason, script string
		// begun means that the agent has armed later boots; before means that the program has run once already.
		begun, before bool
		code          int
		log           string
	}{
		"well": {reason: "the agent makes the sentinel", script: "echo begun"},
		"missing": {
			reason: "the shell reports it", script: "/opt/none/machineadm apply", code: 127,
			log: "/opt/none/machineadm",
		},
		"killed": {
			reason: "it reports nothing itself", script: "echo 'token \"abcdef.0123456789abcdef\"'; kill -9 $$",
			code: 137, log: `token "[redacted]"`,
		},
		"interrupted": {reason: "its progress is unknown", script: "echo again", before: true, code: 1},
		"going on":    {reason: "the agent does at later boots", script: "echo again", before: true, begun: true},
	}
	for name, c := range cases {
		for _, shell := range shells() {
			t.Run(name+"/"+shell, func(t *testing.T) {
				r := newRoot(t)
				if c.begun {
					r.put(t, delivery.ResumeUnitPath)
				}
				if c.before {
					r.put(t, delivery.StartedPath)
				}
				o := bootscript.Options{Agent: true}
				script := strings.ReplaceAll(c.script, "$$", `"$(exec sh -c 'echo $PPID')"`)
				code, out := r.run(t, shell, mustProgram(t, []plan.SourcedStep{command(document.PhaseJoin,
					"spec.delivery", script)}, o))
				if code != c.code || r.exists(bootscript.Sentinel) || r.exists(bootscript.FailureRecord) != (c.code != 0) ||
					strings.Contains(out, "again") {
					t.Fatalf("exit code %d: %s: %s", code, out, c.reason)
				}
				if c.code == 0 {
					return
				}
				if got := r.record(t); got.Phase != "join" || got.Step != "spec.delivery" || got.ExitCode != c.code ||
					!strings.Contains(got.Log, c.log) {
					t.Errorf("the record is %+v", got)
				}
			})
		}
	}
}

func (r root) put(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.dir+path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.dir+path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAgentsCommandIsUnchanged starts an agent with an argument that contains what StripShell removes from programs.
func TestAgentsCommandIsUnchanged(t *testing.T) {
	const argument = "a && b || c | d"
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			start := command(document.PhaseJoin, "spec.delivery", "printf %s '"+argument+"\n# e' >argument")
			program := mustProgram(t, []plan.SourcedStep{start}, bootscript.Options{Agent: true})
			if code, out := r.run(t, shell, program); code != 0 {
				t.Fatalf("exit code %d: %s", code, out)
			}
			got, err := os.ReadFile(filepath.Join(r.dir, bootscript.StateDir, "argument"))
			if want := argument + "\n# e"; err != nil || string(got) != want {
				t.Errorf("the agent's argument is %q, want %q: %v", got, want, err)
			}
		})
	}
}
