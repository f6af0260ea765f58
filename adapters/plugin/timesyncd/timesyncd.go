// Package timesyncd configures systemd-timesyncd (timesyncd.conf(5)).
package timesyncd

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// New returns the expander of the TimeSyncConfig documents for systemd-timesyncd. The proposal names the plugin
// machineadm-timesync-plugin-systemd.
func New() timesync.Expander {
	return timesync.New("systemd", machine.TimeDaemonTimesyncd, configure)
}

// configure writes a drop-in and enables the daemon. The drop-in first empties the list of servers that files before it
// have begun. A pool is a server here: timesyncd asks one of the addresses of a name.
func configure(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report) {
	return timesync.Actions(timesync.Daemon{
		Name: machine.TimeDaemonTimesyncd,
		Unit: timesync.Unit(machine.TimeDaemonTimesyncd, e.Target),
		File: "/etc/systemd/timesyncd.conf.d/90-machineadm.conf",
		Text: strings.Join([]string{"[Time]", "NTP=", "NTP=" + strings.Join(slices.Concat(c.Servers, c.Pools), " "), ""},
			"\n"),

		Packages: []string{"systemd-timesyncd"},
	}, e)
}
