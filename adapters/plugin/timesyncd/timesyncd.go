// Package timesyncd configures systemd-timesyncd, as timesyncd.conf(5) says.
package timesyncd

import (
	"context"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands those TimeSyncConfig documents that are for systemd-timesyncd.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe names the kind, which the expanders of the other time daemons claim, too.
func (Expander) Describe() ports.Capability { return timesync.Capability("timesyncd") }

// Chooses reports whether the document, or else the target's profile, names systemd-timesyncd.
func (Expander) Chooses(d document.Document, t osprofile.Target) bool {
	return timesync.Chooses(machine.TimeDaemonTimesyncd, d, t)
}

// Expand writes a drop-in and enables the daemon. The drop-in first empties the list of servers that files before it have begun.
// A pool is a server here: timesyncd asks one of the addresses of a name.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig]("timesyncd", e)
	if err != nil {
		return nil, nil, err
	}
	actions, r := timesync.Actions(timesync.Daemon{
		Name: machine.TimeDaemonTimesyncd,
		Unit: timesync.Unit(machine.TimeDaemonTimesyncd, e.Target),
		File: "/etc/systemd/timesyncd.conf.d/90-machineadm.conf",
		Text: strings.Join([]string{"[Time]", "NTP=", "NTP=" + strings.Join(slices.Concat(c.Servers, c.Pools), " "), ""}, "\n"),

		Packages: []string{"systemd-timesyncd"},
	}, e)
	return actions, r, nil
}
