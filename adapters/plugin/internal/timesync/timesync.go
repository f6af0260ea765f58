// Package timesync contains the common part of the expanders of time daemons. All of them expand TimeSyncConfig. The
// document determines the daemon. If it names none, the daemon is detected on the machine.
package timesync

import (
	"context"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands the TimeSyncConfig documents that name one daemon.
type Expander struct {
	plugin    string
	daemon    machine.TimeDaemon
	configure Configure
}

var _ ports.Selector = Expander{}

// Configure returns the actions that configure the daemon with the time sources of the document, and findings below the
// document's path.
type Configure func(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report)

// New returns the expander of the daemon. plugin is the name of the expander.
func New(plugin string, daemon machine.TimeDaemon, configure Configure) Expander {
	return Expander{plugin: plugin, daemon: daemon, configure: configure}
}

// Describe returns the kind TimeSyncConfig, which all expanders of time daemons share.
func (x Expander) Describe() ports.Capability {
	return ports.Capability{
		Name: x.plugin, Kinds: []document.Kind{machine.KindTimeSync}, Reads: []document.Kind{machine.KindPackages},
	}
}

// Matches reports whether the document names the daemon. Windows has only one, which need not be named.
func (x Expander) Matches(d document.Document, t osprofile.Target) bool {
	c, ok := d.Value.(machine.TimeSyncConfig)
	if ok && c.Daemon == machine.TimeDaemonAuto && expand.IsWindows(t) {
		return x.daemon == machine.TimeDaemonW32Time
	}
	return ok && c.Daemon == x.daemon
}

// Expand configures the daemon. A document of another kind is an error.
func (x Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig](x.plugin, e)
	if err != nil {
		return nil, nil, err
	}
	actions, r := x.configure(c, e)
	return actions, r, nil
}
