package ignition_test

import (
	"os"
	"testing"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	dm "github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/localuser"
)

// TestIgnitionsFilesArePrivateFromCreation has a local user read wherever the engine and the program write, while they
// do. The engine of specification 3 creates files for everybody and sets their mode afterwards; it runs in the
// initramfs, where there is no local user, so the reader gets to the root only when that is what the machine runs from.
// The engine of 2.3 is watched from its beginning.
func TestIgnitionsFilesArePrivateFromCreation(t *testing.T) {
	for name, r := range map[string]run{
		"2.3": {engine: oldFlatcar, renderer: ignitionv2.New(), target: target(t, "flatcar", "2905.2.0", "")},
		"3.4": {engine: newest, renderer: ignition.New(), target: target(t, "fedora-coreos", "", "3.4.0")},
	} {
		t.Run(name, func(t *testing.T) {
			operations := []action.Operation{action.EnsureUser{User: dm.User{Name: localuser.User}}}
			for _, f := range localuser.Files() {
				operations = append(operations, action.WriteFile{File: f})
			}
			operations = append(operations, action.RunCommand{
				Name: "boot", Script: "true " + canary.Mark,
				When: document.PhaseBoot,
			})
			config := render(t, r.renderer, planOf(r.target, operations...))
			if r.engine.kind == "v3" {
				t.Setenv("MACHINEADM_INITRAMFS", "yes")
			}
			m := newMachine(t)
			localuser.Watch(t, m.Path)
			localuser.Repeat(t, 3, func(runs int) {
				for range runs {
					for _, name := range []string{"etc", "home", "var/lib/machineadm"} {
						if err := os.RemoveAll(m.Path(name)); err != nil {
							t.Fatal(err)
						}
					}
					m.furnish(t)
					m.Put(t, "/home/ada/added", localuser.Existing, 0o644)
					m.mustBoot(t, r.engine, config)
				}
			})
			for name, want := range localuser.Arrived() {
				if got := m.Read(t, name); got != want {
					t.Errorf("%s holds %d bytes, want %d", name, len(got), len(want))
				}
			}
		})
	}
}
