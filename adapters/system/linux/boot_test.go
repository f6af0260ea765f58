//go:build linux

package linux_test

import (
	"os"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// booting is a systemctl of a machine whose boot has reached neither target. It records the commands that change units.
// A real one would wait forever in the start of late.service: its target waits for the agent.
const booting = `#!/bin/sh
case "$*" in
is-enabled*) echo disabled ;;
*--property=After*late.service) echo basic.target multi-user.target ;;
*--property=After*after-*) echo "basic.target ${*##*after-}" ;;
*--property=After*) echo basic.target ;;
*--property=Job*) cat /srv/job ;;
show*) echo inactive ;;
daemon-reload) ;;
*) echo "$*" >>/srv/calls ;;
esac
`

// TestUnitsAfterTheBoot starts units during and after the boot.
func TestUnitsAfterTheBoot(t *testing.T) {
	d := newDebian(t, "trixie")
	d.put(t, "/usr/local/sbin/systemctl", booting)
	if err := os.Chmod(d.root+"/usr/local/sbin/systemctl", 0o755); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	cases := map[string]struct{ reason, unit, job, wait string }{
		"late":   {"the target waits for the agent", "late.service", "7", " --no-block"},
		"early":  {"a failed start fails the bootstrap", "early.service", "7", ""},
		"booted": {"a failed start fails the bootstrap", "late.service", "", ""},
		"old":    {"systemd may print 0 if there is no job", "late.service", "0", ""},
	}
	for _, name := range linuxcmd.BootUnits() {
		cases[name] = struct{ reason, unit, job, wait string }{"it waits for the agent", "after-" + name, "7", " --no-block"}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d.put(t, "/srv/calls", "")
			d.put(t, "/srv/job", c.job+"\n")
			enabled, h := true, linux.Running(open(t, d.root))
			op := action.EnsureUnit{Unit: machine.Unit{Name: c.unit, Enabled: &enabled}}
			if err := h.Apply(t.Context(), op, journal.Original{}); err != nil {
				t.Fatal(err)
			}
			if err := h.Restart(t.Context(), c.unit); err != nil {
				t.Fatal(err)
			}
			want := "enable --now" + c.wait + " " + c.unit + "\nrestart" + c.wait + " " + c.unit + "\n"
			if got := d.get("/srv/calls"); strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s: got %q, want %q", c.reason, got, want)
			}
		})
	}
}
