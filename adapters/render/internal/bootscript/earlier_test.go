package bootscript_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// TestNewInstallationIgnoresEarlierState installs a machine again and keeps /var. The bootstrap of the new installation
// must run, once. A prepared image has a journal, which stays.
func TestNewInstallationIgnoresEarlierState(t *testing.T) {
	const journal = bootscript.StateDir + "/journal.jsonl"
	done := bootscript.StateDir + "/done"
	failure := bootscript.StateDir + "/failure.json"
	cases := map[string]struct {
		kept []string
		// left reports whether the journal stays.
		left bool
	}{
		"complete":    {kept: []string{delivery.StartedPath, done, journal}},
		"interrupted": {kept: []string{delivery.StartedPath, journal}},
		"failed":      {kept: []string{delivery.StartedPath, failure, journal}},
		"by itself":   {kept: []string{done, journal}},
		"prepared":    {kept: []string{journal}, left: true},
		"fresh":       {},
	}
	programs := map[string]bool{"program": false, "agent": true}
	for name, c := range cases {
		for kind, agent := range programs {
			for _, shell := range shells() {
				t.Run(name+"/"+kind+"/"+shell, func(t *testing.T) {
					r := newRoot(t)
					for _, path := range c.kept {
						r.put(t, path)
					}
					count := filepath.Join(r.dir, "count")
					program := mustProgram(t, []plan.SourcedStep{
						command(document.PhaseJoin, "spec.node", "echo joined >>"+count),
					}, bootscript.Options{Installs: true, Agent: agent})
					if code, out := r.run(t, shell, program); code != 0 || r.exists(failure) {
						t.Fatalf("exit code %d: %s", code, out)
					}
					// The agent creates the sentinel itself.
					if !agent && !r.exists(bootscript.Sentinel) {
						t.Error("there is no sentinel")
					}
					if r.exists(journal) != c.left {
						t.Errorf("the journal is there: %v", r.exists(journal))
					}
					// The same installation starts again, also with the original program, as after an interruption.
					code, _ := r.run(t, shell, program)
					if interrupted := code != 0; interrupted != agent {
						t.Errorf("the second run has exit code %d", code)
					}
					got, err := os.ReadFile(count)
					if diff := cmp.Diff("joined\n", string(got)); diff != "" {
						t.Error(diff, err)
					}
				})
			}
		}
	}
}

// TestInterruptedInstallationFails interrupts the first start of an installation. Later starts report it.
func TestInterruptedInstallationFails(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			r := newRoot(t)
			program := mustProgram(t, []plan.SourcedStep{command(document.PhasePre, "a", "kill -9 $$")},
				bootscript.Options{Installs: true})
			r.run(t, shell, program)
			code, out := r.reboot(t, shell)
			if code == 0 || r.exists(bootscript.Sentinel) || r.record(t).Step != "interrupted" {
				t.Errorf("exit code %d: %s", code, out)
			}
		})
	}
}
