package chronyd_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/chronyd"
	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		want                 string
	}{
		"fedora-coreos": {
			reason: "the image's own daemon, with Red Hat's paths", distribution: "fedora-coreos",
			want: `
file: write /etc/chrony.conf (0644)
| server a.example iburst
| pool pool.example iburst
| driftfile /var/lib/chrony/drift
| makestep 1.0 3
| rtcsync
unit: enable unit chronyd.service (restart on [TimeSyncConfig])`,
		},
		"flatcar": {
			reason: "images for Azure have chronyd; its file is in a directory", distribution: "flatcar",
			want: `
file: write /etc/chrony/chrony.conf (0644)
| server a.example iburst
| pool pool.example iburst
| driftfile /var/lib/chrony/chrony.drift
| makestep 1.0 3
| rtcsync
unit: mask unit ntpd.service
unit: mask unit systemd-timesyncd.service
unit: enable unit chronyd.service (restart on [TimeSyncConfig])`,
		},
		"ubuntu": {
			reason: "Debian's paths and unit; many images contain it", distribution: "ubuntu",
			want: `
file: write /etc/chrony/chrony.conf (0644)
| server a.example iburst
| pool pool.example iburst
| driftfile /var/lib/chrony/chrony.drift
| makestep 1.0 3
| rtcsync
unit: mask unit systemd-timesyncd.service
unit: enable unit chrony.service (restart on [TimeSyncConfig])`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.TimeSyncConfig{Servers: []string{"a.example"}, Pools: []string{"pool.example"}}
			actions, r := plugintest.Expand(t, chronyd.New(), plugintest.Target(t, tc.distribution), c)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, chronyd.New(), plugintest.Target(t, "ubuntu"))
}

func TestMatches(t *testing.T) {
	var x ports.Selector = chronyd.New()
	plugintest.CheckTimeDaemon(t, x, machine.TimeDaemonChronyd)
}

func TestExpandRefusesWindows(t *testing.T) {
	target := plugintest.Target(t, "windows-server-2022")
	actions, r := plugintest.Expand(t, chronyd.New(), target, machine.TimeSyncConfig{Daemon: machine.TimeDaemonChronyd})
	plugintest.Check(t, "Windows has its own",
		"error: doc.daemon: chronyd does not support Windows; use w32time, or leave it out", actions, r)
}
