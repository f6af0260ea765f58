// Package chronyd configures chronyd (chrony.conf(5)).
package chronyd

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// New returns the expander of the TimeSyncConfig documents for chronyd.
func New() timesync.Expander { return timesync.New("chronyd", machine.TimeDaemonChronyd, configure) }

// configure writes the whole configuration, so that no other source of time is left, and enables the daemon. A clock
// that is off at boot is set at once, and the kernel keeps the hardware clock.
func configure(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report) {
	file, drift := "/etc/chrony.conf", "/var/lib/chrony/drift"
	if e.Target.Profile.Family == osprofile.FamilyDebian {
		file, drift = "/etc/chrony/chrony.conf", "/var/lib/chrony/chrony.drift"
	}
	return timesync.Actions(timesync.Daemon{
		Name: machine.TimeDaemonChronyd,
		Unit: timesync.Unit(machine.TimeDaemonChronyd, e.Target),
		File: file,
		Text: timesync.Lines(c) + "driftfile " + drift + "\nmakestep 1.0 3\nrtcsync\n",

		Packages: []string{"chrony"},
	}, e)
}
