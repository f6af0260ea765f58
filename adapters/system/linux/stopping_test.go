//go:build linux

package linux_test

import (
	"os"
	"testing"

	"github.com/machineadm/machineadm/adapters/system/linux"
)

// TestStoppingMachineIsDetected checks the states of systemctl(1). Only the running system can stop.
func TestStoppingMachineIsDetected(t *testing.T) {
	d := newDebian(t, "trixie")
	for state, want := range map[string]bool{
		"stopping": true, "running": false, "degraded": false, "starting": false, "maintenance": false,
	} {
		systemctl := "#!/bin/sh\n[ \"$*\" = is-system-running ] || exit 2\necho " + state + "\nexit 1\n"
		d.put(t, "/usr/bin/systemctl", systemctl)
		if err := os.Chmod(d.root+"/usr/bin/systemctl", 0o755); err != nil { //nolint:gosec // A program.
			t.Fatal(err)
		}
		if got := linux.Running(d.Host).IsStopping(t.Context()); got != want {
			t.Errorf("%s: got %t", state, got)
		}
		if d.IsStopping(t.Context()) {
			t.Errorf("%s: a tree that does not run stops", state)
		}
	}
}
