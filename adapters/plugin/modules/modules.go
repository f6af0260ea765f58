// Package modules loads kernel modules now and at each boot (modules-load.d(5), modprobe.d(5)).
package modules

import (
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/plugin/internal/expand"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// The files that are written. Options is written only if a module has options.
const (
	File    = "/etc/modules-load.d/90-machineadm.conf"
	Options = "/etc/modprobe.d/90-machineadm.conf"
)

// Expander expands KernelModulesConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind KernelModulesConfig.
func (Expander) Describe() ports.Capability {
	return ports.Capability{Name: "modules", Kinds: []document.Kind{machine.KindKernelModules}}
}

// Expand returns the files and restarts systemd-modules-load.service, which reads them.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.KernelModulesConfig]("modules", e)
	if err != nil || len(c.Modules) == 0 {
		return nil, nil, err
	}
	if r := expand.OnlyLinux(e.Target, e.Document, "add drivers to the image"); len(r) > 0 {
		return nil, r, nil
	}
	names, options := texts(c)
	var operations []action.Operation
	if options != "" {
		operations = append(operations, expand.File(Options, options))
	}
	operations = append(operations, expand.File(File, names),
		expand.Restarted("systemd-modules-load.service", machine.KindKernelModules))
	return action.Of(operations...), nil, nil
}

func texts(c machine.KernelModulesConfig) (names, options string) {
	var load, opts strings.Builder
	for _, m := range c.Modules {
		load.WriteString(m.Name + "\n")
		if len(m.Options) > 0 {
			opts.WriteString("options " + m.Name + " " + strings.Join(m.Options, " ") + "\n")
		}
	}
	return load.String(), opts.String()
}
