// Package ntpd configures the reference implementation of ntpd, or NTPsec (ntp.conf(5)).
package ntpd

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/machine"
)

// New returns the expander of the TimeSyncConfig documents that name ntpd.
func New() timesync.Expander {
	return timesync.New("ntpd", machine.TimeDaemonNTPD, timesync.For(machine.TimeDaemonNTPD))
}
