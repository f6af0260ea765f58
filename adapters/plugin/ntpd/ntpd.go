// Package ntpd configures ntpd, the classic one or NTPsec, as ntp.conf(5) says.
package ntpd

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

// Expander expands those TimeSyncConfig documents that are for ntpd.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe names the kind, which the expanders of the other time daemons claim, too.
func (Expander) Describe() ports.Capability { return timesync.Capability("ntpd") }

// Chooses reports whether the document, or else the target's profile, names ntpd.
func (Expander) Chooses(d document.Document, t osprofile.Target) bool {
	return timesync.Chooses(machine.TimeDaemonNTPD, d, t)
}

// access lets nobody change or query the daemon but the machine itself, and lets the sources answer.
const access = "restrict default kod limited nomodify nopeer noquery\nrestrict source nomodify noquery\n" +
	"restrict 127.0.0.1\nrestrict ::1\n"

// Expand writes the whole configuration, so that no other source of time is left, and enables the daemon.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig]("ntpd", e)
	if err != nil {
		return nil, nil, err
	}
	file, drift := "/etc/ntp.conf", "/var/lib/ntp/ntp.drift"
	if timesync.NTPSec(e.Target) {
		file, drift = "/etc/ntpsec/ntp.conf", "/var/lib/ntpsec/ntp.drift"
	}
	actions, r := timesync.Actions(timesync.Daemon{
		Name: machine.TimeDaemonNTPD,
		Unit: timesync.Unit(machine.TimeDaemonNTPD, e.Target),
		File: file,
		Text: timesync.Lines(c) + "driftfile " + drift + "\n" + access,

		Packages: []string{"ntp", "ntpsec"},
	}, e)
	return actions, r, nil
}
