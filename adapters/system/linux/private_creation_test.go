//go:build linux

package linux_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/localuser"
)

// TestAgentsFilesArePrivateFromCreation runs a local user that reads all paths to which the host writes, at the same
// time.
func TestAgentsFilesArePrivateFromCreation(t *testing.T) {
	d := newDebian(t, "bookworm")
	carryOut(t, d.Host, action.EnsureUser{User: machine.User{Name: localuser.User}})
	at := func(name string) string { return filepath.Join(d.root, name) }
	localuser.Watch(t, at)
	localuser.Repeat(t, 1, func(runs int) {
		for range runs {
			if out, err := exec.Command("chroot", d.root, "sh", "-c", localuser.Reset).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, f := range localuser.Files() {
				carryOut(t, d.Host, action.WriteFile{File: f})
			}
			if err := d.try(t, action.RunCommand{
				Name: "look", Script: ": " + canary.Mark,
				When: document.PhasePre,
			}); err != nil {
				t.Fatal(err)
			}
		}
	})
	for name, want := range localuser.Arrived() {
		if got := d.get(name); got != want {
			t.Errorf("%s holds %d bytes, want %d", name, len(got), len(want))
		}
	}
}
