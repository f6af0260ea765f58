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
	for name, c := range map[string]struct {
		state, job, active string
		want               bool
	}{
		"stopping": {"stopping", "", "inactive", true}, "running": {"running", "", "inactive", false},
		"degraded": {"degraded", "", "inactive", false}, "starting": {"starting", "0", "inactive", false},
		"maintenance":                   {"maintenance", "", "inactive", false},
		"stopping before systemd 246":   {"starting", "7", "inactive", true},
		"unmounting before systemd 246": {"starting", "0", "active", true},
	} {
		systemctl := "#!/bin/sh\ncase $* in\n\"show --property=Job -- shutdown.target\") echo Job=" + c.job +
			"; exit;;\n\"show --property=ActiveState -- shutdown.target\") echo ActiveState=" + c.active + "; exit;;\n" +
			"is-system-running) echo " + c.state + "; exit 1;;\nesac\nexit 2\n"
		d.put(t, "/usr/bin/systemctl", systemctl)
		if err := os.Chmod(d.root+"/usr/bin/systemctl", 0o755); err != nil { //nolint:gosec // A program.
			t.Fatal(err)
		}
		if got := linux.Running(d.Host).IsStopping(t.Context()); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
		if d.IsStopping(t.Context()) {
			t.Errorf("%s: a tree that does not run stops", name)
		}
	}
}
