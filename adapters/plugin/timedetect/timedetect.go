// Package timedetect configures the time daemon that it finds on the machine. Images of one distribution contain
// different daemons, so the profile of the operating system does not determine it.
package timedetect

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

var (
	//go:embed start.sh
	start string
	//go:embed undo.sh
	undo string
	//go:embed renew.sh
	renew string
)

// Expander expands the TimeSyncConfig documents that name no daemon, on Linux.
type Expander struct{}

var _ ports.Selector = Expander{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind TimeSyncConfig, which all expanders of time daemons share.
func (Expander) Describe() ports.Capability {
	return ports.Capability{
		Name: "timedetect", Kinds: []document.Kind{machine.KindTimeSync}, Reads: []document.Kind{machine.KindPackages},
	}
}

// Matches reports whether the document names no daemon and the target is not Windows, which has only one.
func (Expander) Matches(d document.Document, t osprofile.Target) bool {
	c, ok := d.Value.(machine.TimeSyncConfig)
	return ok && c.Daemon == machine.TimeDaemonAuto && !expand.IsWindows(t)
}

// Expand writes the configuration of each daemon that the machine may have. Then it restarts the daemon that the
// machine has: the one that runs, or else is enabled, or else is installed. Without a daemon, the machine logs that the
// servers are not used, and the bootstrap continues. If time synchronization is disabled, all of these daemons are
// masked.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig]("timedetect", e)
	if err != nil {
		return nil, nil, err
	}
	if c.Disabled() {
		return action.Of(timesync.Masked(candidates(c, e))...), nil, nil
	}
	var operations []action.Operation
	var units []string
	for _, d := range candidates(c, e) {
		operations = append(operations, expand.File(d.File, d.Text))
		units = append(units, d.Unit)
	}
	list := "units='" + strings.Join(units, " ") + "'\n"
	operations = append(operations, action.RunCommand{
		Name: "restart the time daemon", When: document.PhaseUnit, Script: list + script.StripShell(start),
		Undo: script.StripShell(undo), Renew: list + script.StripShell(renew),
	})
	return action.Of(operations...), nil, nil
}

// candidates returns the daemons that the profile lists, and those whose packages are to be installed. A system without
// a profile can have any of them.
func candidates(c machine.TimeSyncConfig, e ports.Expansion) []timesync.Daemon {
	listed := e.Target.Profile.TimeDaemons
	return slices.DeleteFunc(timesync.Daemons(c, e.Target), func(d timesync.Daemon) bool {
		return len(listed) > 0 && !slices.Contains(listed, d.Name) && !d.Installed(e.Others)
	})
}
