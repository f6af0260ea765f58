package ntpd_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/ntpd"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

const rest = `
| restrict default kod limited nomodify nopeer noquery
| restrict source nomodify noquery
| restrict 127.0.0.1
| restrict ::1
unit: mask unit chrony.service
unit: mask unit systemd-timesyncd.service
`

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, release string
		want            string
	}{
		"ubuntu 24.04": {
			reason: "NTPsec", release: "24.04",
			want: `
warning: doc.daemon: ntpd is not a time daemon of Ubuntu; ` +
				`use an image that contains it, or add one of the packages ntp, ntpsec
file: write /etc/ntpsec/ntp.conf (0644)
| server a.example iburst
| pool pool.example iburst
| driftfile /var/lib/ntpsec/ntp.drift` + rest + "unit: enable unit ntpsec.service (restart on [TimeSyncConfig])",
		},
		"ubuntu 22.04": {
			reason: "the classic ntpd", release: "22.04",
			want: `
warning: doc.daemon: ntpd is not a time daemon of Ubuntu; ` +
				`use an image that contains it, or add one of the packages ntp, ntpsec
file: write /etc/ntp.conf (0644)
| server a.example iburst
| pool pool.example iburst
| driftfile /var/lib/ntp/ntp.drift` + rest + "unit: enable unit ntp.service (restart on [TimeSyncConfig])",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			target := plugintest.Target(t, "ubuntu")
			target.Release = tc.release
			c := machine.TimeSyncConfig{Servers: []string{"a.example"}, Pools: []string{"pool.example"}}
			actions, r := plugintest.Expand(t, ntpd.New(), target, c)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	packages := machine.PackagesConfig{Install: []string{"jq", "ntpsec=1.2.2"}}
	_, r := plugintest.Expand(t, ntpd.New(), plugintest.Target(t, "ubuntu"), machine.TimeSyncConfig{}, packages)
	plugintest.Check(t, "the package is to be installed", "", nil, r)
	plugintest.RefusesOtherKinds(t, ntpd.New(), plugintest.Target(t, "ubuntu"))
}

func TestMatches(t *testing.T) {
	var x ports.Selector = ntpd.New()
	plugintest.CheckTimeDaemon(t, x, machine.TimeDaemonNTPD)
}
