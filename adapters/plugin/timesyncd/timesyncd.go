// Package timesyncd configures systemd-timesyncd (timesyncd.conf(5)).
package timesyncd

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/machine"
)

// New returns the expander of the TimeSyncConfig documents that name systemd-timesyncd. The proposal names the plugin
// machineadm-timesync-plugin-systemd.
func New() timesync.Expander {
	return timesync.New("systemd", machine.TimeDaemonTimesyncd, timesync.For(machine.TimeDaemonTimesyncd))
}
