// Package ntpd configures the reference implementation of ntpd, or NTPsec (ntp.conf(5)).
package ntpd

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// New returns the expander of the TimeSyncConfig documents for ntpd.
func New() timesync.Expander { return timesync.New("ntpd", machine.TimeDaemonNTPD, configure) }

// access permits changes and queries only from the machine itself, and answers from the sources.
const access = "restrict default kod limited nomodify nopeer noquery\nrestrict source nomodify noquery\n" +
	"restrict 127.0.0.1\nrestrict ::1\n"

// configure writes the whole configuration, so that no other source of time is left, and enables the daemon.
func configure(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report) {
	file, drift := "/etc/ntp.conf", "/var/lib/ntp/ntp.drift"
	if timesync.NTPSec(e.Target) {
		file, drift = "/etc/ntpsec/ntp.conf", "/var/lib/ntpsec/ntp.drift"
	}
	return timesync.Actions(timesync.Daemon{
		Name: machine.TimeDaemonNTPD,
		Unit: timesync.Unit(machine.TimeDaemonNTPD, e.Target),
		File: file,
		Text: timesync.Lines(c) + "driftfile " + drift + "\n" + access,

		Packages: []string{"ntp", "ntpsec"},
	}, e)
}
