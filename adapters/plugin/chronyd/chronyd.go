// Package chronyd configures chronyd (chrony.conf(5)).
package chronyd

import (
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/machine"
)

// New returns the expander of the TimeSyncConfig documents that name chronyd.
func New() timesync.Expander {
	return timesync.New("chronyd", machine.TimeDaemonChronyd, timesync.For(machine.TimeDaemonChronyd))
}
