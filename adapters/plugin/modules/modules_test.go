package modules_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/modules"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason  string
		modules []machine.KernelModule
		want    string
	}{
		"options": {
			reason:  "modules in their order, options only of those that have some",
			modules: []machine.KernelModule{{Name: "overlay"}, {Name: "dummy", Options: []string{"numdummies=2", "a=b"}}},
			want: `
file: write /etc/modprobe.d/90-machineadm.conf (0644)
| options dummy numdummies=2 a=b
file: write /etc/modules-load.d/90-machineadm.conf (0644)
| overlay
| dummy
unit: configure unit systemd-modules-load.service (restart on [KernelModulesConfig])`,
		},
		"plain": {
			reason: "no options, no file of options", modules: []machine.KernelModule{{Name: "br_netfilter"}},
			want: `
file: write /etc/modules-load.d/90-machineadm.conf (0644)
| br_netfilter
unit: configure unit systemd-modules-load.service (restart on [KernelModulesConfig])`,
		},
		"none": {reason: "nothing to load, nothing to write"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.KernelModulesConfig{Modules: tc.modules}
			actions, r := plugintest.Expand(t, modules.New(), plugintest.Target(t, "ubuntu"), c)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, modules.New(), plugintest.Target(t, "ubuntu"))
}
