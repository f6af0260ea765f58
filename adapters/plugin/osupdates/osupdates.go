// Package osupdates disables automatic updates of the operating system. Cluster API replaces machines instead of
// updating them, and an update that reboots does not drain the node.
package osupdates

import (
	"context"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Expander expands OSUpdatesConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind OSUpdatesConfig.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "osupdates", Kinds: []document.Kind{machine.KindOSUpdates}}
}

// Expand masks the updaters of the profile. If updates are enabled, it returns no actions.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.OSUpdatesConfig]("osupdates", e)
	if err != nil || c.Enabled {
		return nil, nil, err
	}
	var operations []action.Operation
	for _, unit := range e.Target.Profile.Updaters {
		operations = append(operations, expand.Masked(unit))
	}
	return action.Of(operations...), nil, nil
}
