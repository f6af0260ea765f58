// Package w32time configures the Windows Time service with w32tm.
package w32time

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

// Expander expands those TimeSyncConfig documents that are for the Windows Time service.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe names the kind, which the expanders of the other time daemons claim, too.
func (Expander) Describe() ports.Capability { return timesync.Capability("w32time") }

// Chooses reports whether the document, or else the target's profile, names the Windows Time service.
func (Expander) Chooses(d document.Document, t osprofile.Target) bool {
	return timesync.Chooses(machine.TimeDaemonW32Time, d, t)
}

// Expand starts the service and gives it its peers. A pool is a peer here. 0x8 asks a peer as a client, and nothing else: most
// servers do not answer the symmetric requests that are the default (learn.microsoft.com: Windows Time service tools and
// settings). A member of a domain would otherwise take the time from its domain controllers.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.TimeSyncConfig]("w32time", e)
	if err != nil {
		return nil, nil, err
	}
	if !expand.IsWindows(e.Target) {
		return nil, report.Report{report.Errorf(e.Document.Source.Path.Field("daemon"), "%s is Windows's own", machine.TimeDaemonW32Time).
			To("leave it out, or name another")}, nil
	}
	var peers []string
	for _, host := range slices.Concat(c.Servers, c.Pools) {
		peers = append(peers, host+",0x8")
	}
	configure := action.RunCommand{
		Name: "configure the time service", When: document.PhaseUnit,
		Script: "w32tm.exe /config " + expand.PowerShell("/manualpeerlist:"+strings.Join(peers, " ")) + " /syncfromflags:manual /update",
	}
	return action.Of(expand.Enabled("w32time.service"), configure), nil, nil
}
