// Package w32time configures the Windows Time service with w32tm.
package w32time

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/adapters/plugin/internal/timesync"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// New returns the expander of the TimeSyncConfig documents for the Windows Time service.
func New() timesync.Expander { return timesync.New("w32time", machine.TimeDaemonW32Time, configure) }

// configure starts the service and gives it its peers, or disables it. A pool is a peer here. 0x8 asks a peer as a
// client, and nothing else: most servers do not answer the symmetric requests that are the default
// (learn.microsoft.com: Windows Time service tools and settings). A member of a domain would otherwise take the time
// from its domain controllers.
func configure(c machine.TimeSyncConfig, e ports.Expansion) ([]action.Action, report.Report) {
	if !expand.IsWindows(e.Target) {
		return nil, report.Report{report.Errorf(e.Document.Source.Path.Field("daemon"), "%s is Windows's own",
			machine.TimeDaemonW32Time).
			To("leave it out, or name another")}
	}
	if c.Disabled() {
		return action.Of(expand.Masked("w32time.service")), nil
	}
	var peers []string
	for _, host := range slices.Concat(c.Servers, c.Pools) {
		peers = append(peers, host+",0x8")
	}
	configure := action.RunCommand{
		Name: "configure the time service", When: document.PhaseUnit,
		Script: "w32tm.exe /config " + expand.PowerShell("/manualpeerlist:"+strings.Join(peers, " ")) +
			" /syncfromflags:manual /update",
	}
	return action.Of(expand.Enabled("w32time.service"), configure), nil
}
