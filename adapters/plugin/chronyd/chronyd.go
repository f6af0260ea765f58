// Package chronyd configures chronyd, as chrony.conf(5) says.
package chronyd

import (
	"context"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands those TimeSyncConfig documents that are for chronyd.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe names the kind, which the expanders of the other time daemons claim, too.
func (Expander) Describe() ports.Capability { return timesync.Capability("chronyd") }

// Chooses reports whether the document, or else the target's profile, names chronyd.
func (Expander) Chooses(d document.Document, t osprofile.Target) bool {
	return timesync.Chooses(machine.TimeDaemonChronyd, d, t)
}

// Expand writes the whole configuration, so that no other source of time is left, and enables the daemon. A clock that is off at
// boot is set at once, and the kernel keeps the hardware clock.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig]("chronyd", e)
	if err != nil {
		return nil, nil, err
	}
	file, drift := "/etc/chrony.conf", "/var/lib/chrony/drift"
	if e.Target.Profile.Family == osprofile.FamilyDebian {
		file, drift = "/etc/chrony/chrony.conf", "/var/lib/chrony/chrony.drift"
	}
	actions, r := timesync.Actions(timesync.Daemon{
		Name: machine.TimeDaemonChronyd,
		Unit: timesync.Unit(machine.TimeDaemonChronyd, e.Target),
		File: file,
		Text: timesync.Lines(c) + "driftfile " + drift + "\nmakestep 1.0 3\nrtcsync\n",

		Packages: []string{"chrony"},
	}, e)
	return actions, r, nil
}
