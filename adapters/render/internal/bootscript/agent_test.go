package bootscript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestAgentGoesOnByItself has the agent cut off once it has begun: the program leaves the later boots to it, and what is left of the program
// when it has succeeded makes the sentinel and nothing else.
func TestAgentGoesOnByItself(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			o := bootscript.Options{Target: osprofile.Target{Delivery: delivery.Options{Mode: delivery.ModeAgent}}}
			steps := []plan.SourcedStep{command(document.PhaseJoin, "spec.delivery", "echo secret >/dev/null; exit 9")}
			if code, out := r.run(t, shell, mustProgram(t, steps, o)); code != 9 {
				t.Fatalf("exit code %d: %s", code, out)
			}
			if err := os.Remove(filepath.Join(r.dir, "run/cluster-api/bootstrap-failure.json")); err != nil {
				t.Fatal(err)
			}
			r.put(t, delivery.ResumeUnitPath)
			if code, out := r.reboot(t, shell); code != 0 || r.exists(bootscript.FailureRecord) || r.exists(bootscript.Sentinel) {
				t.Errorf("an agent that goes on: exit code %d: %s", code, out)
			}
			r.put(t, "/var/lib/machineadm/done")
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

// put makes an empty file.
func (r root) put(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.dir+path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.dir+path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
