package timesyncd_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/timesyncd"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

func TestExpand(t *testing.T) {
	both := machine.TimeSyncConfig{Servers: []string{"a.example", "fd00::1"}, Pools: []string{"pool.example"}}
	cases := map[string]struct {
		reason, distribution string
		want                 string
	}{
		"flatcar": {
			reason: "images of clouds have other daemons, too", distribution: "flatcar",
			want: `
file: write /etc/systemd/timesyncd.conf.d/90-machineadm.conf (0644)
| [Time]
| NTP=
| NTP=a.example fd00::1 pool.example
unit: mask unit chronyd.service
unit: mask unit ntpd.service
unit: enable unit systemd-timesyncd.service (restart on [TimeSyncConfig])`,
		},
		"fedora-coreos": {
			reason: "chronyd must not pull at the clock as well", distribution: "fedora-coreos",
			want: `
warning: doc.daemon: systemd-timesyncd is not a time daemon of Fedora CoreOS; ` +
				`use an image that contains it, or add one of the packages systemd-timesyncd
file: write /etc/systemd/timesyncd.conf.d/90-machineadm.conf (0644)
| [Time]
| NTP=
| NTP=a.example fd00::1 pool.example
unit: mask unit chronyd.service
unit: enable unit systemd-timesyncd.service (restart on [TimeSyncConfig])`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := plugintest.Expand(t, timesyncd.New(), plugintest.Target(t, tc.distribution), both)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, timesyncd.New(), plugintest.Target(t, "flatcar"))
}

func TestMatches(t *testing.T) {
	var x ports.Selector = timesyncd.New()
	plugintest.CheckTimeDaemon(t, x, machine.TimeDaemonTimesyncd)
}
