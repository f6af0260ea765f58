// Package sysctl sets kernel parameters now and at each boot (sysctl.d(5)).
package sysctl

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

// File sorts after the files of distributions, whose numbers are below 90, and before Ubuntu's 99-sysctl.conf, which is
// for administrators.
const File = "/etc/sysctl.d/90-machineadm.conf"

// Expander expands SysctlConfig.
type Expander struct{}

// New returns the expander.
func New() Expander { return Expander{} }

// Describe returns the kind SysctlConfig. It reads kernel modules, because some parameters exist only after a module is
// loaded.
func (Expander) Describe() ports.Capability {
	return ports.Capability{
		Name:  "sysctl",
		Kinds: []document.Kind{machine.KindSysctl},
		Reads: []document.Kind{machine.KindKernelModules},
	}
}

// Expand writes File and restarts systemd-sysctl.service, which reads it. If the machine loads modules, the service
// starts after systemd-modules-load.service: net.bridge.* exists only after br_netfilter is loaded.
func (Expander) Expand(_ context.Context, e ports.Expansion) ([]action.Action, report.Report, error) {
	c, err := expand.Value[machine.SysctlConfig]("sysctl", e)
	if err != nil || len(c.Settings) == 0 {
		return nil, nil, err
	}
	if r := expand.OnlyLinux(e.Target, e.Document, "configure Windows with a script in preCommands"); len(r) > 0 {
		return nil, r, nil
	}
	operations := []action.Operation{expand.File(File, text(c))}
	if _, _, modules := document.First[machine.KernelModulesConfig](e.Others); modules {
		operations = append(operations, expand.Restarted("systemd-modules-load.service", machine.KindKernelModules))
	}
	operations = append(operations, expand.Restarted("systemd-sysctl.service", machine.KindSysctl))
	return action.Of(operations...), nil, nil
}

func text(c machine.SysctlConfig) string {
	var b strings.Builder
	for _, s := range c.Settings {
		b.WriteString(s.Name + " = " + s.Value + "\n")
	}
	return b.String()
}
