package sysctl_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/sysctl"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestExpand(t *testing.T) {
	two := []machine.Sysctl{
		{Name: "net.ipv4.ip_forward", Value: "1"},
		{Name: "net.ipv4.tcp_rmem", Value: "4096 87380 6291456"},
	}
	cases := map[string]struct {
		reason   string
		settings []machine.Sysctl
		others   []document.Value
		want     string
	}{
		"settings": {
			reason: "in their order, values with blanks as they are", settings: two,
			want: `
file: write /etc/sysctl.d/90-machineadm.conf (0644)
| net.ipv4.ip_forward = 1
| net.ipv4.tcp_rmem = 4096 87380 6291456
unit: configure unit systemd-sysctl.service (restart on [SysctlConfig])`,
		},
		"modules": {
			reason: "parameters of a module come after the module", settings: two[:1],
			others: []document.Value{machine.KernelModulesConfig{}},
			want: `
file: write /etc/sysctl.d/90-machineadm.conf (0644)
| net.ipv4.ip_forward = 1
unit: configure unit systemd-modules-load.service (restart on [KernelModulesConfig])
unit: configure unit systemd-sysctl.service (restart on [SysctlConfig])`,
		},
		"none": {reason: "nothing to set, nothing to write"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.SysctlConfig{Settings: tc.settings}
			actions, r := plugintest.Expand(t, sysctl.New(), plugintest.Target(t, "ubuntu"), c, tc.others...)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, sysctl.New(), plugintest.Target(t, "ubuntu"))
}
