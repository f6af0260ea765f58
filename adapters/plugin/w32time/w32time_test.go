package w32time_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/w32time"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestExpand(t *testing.T) {
	windows := plugintest.Target(t, "windows-server-2022")
	c := machine.TimeSyncConfig{Servers: []string{"a.example"}, Pools: []string{"b.example"}}
	actions, r := plugintest.Expand(t, w32time.New(), windows, c)
	plugintest.Check(t, "peers are asked as clients", `
unit: enable unit w32time.service
unit: run configure the time service
| w32tm.exe /config '/manualpeerlist:a.example,0x8 b.example,0x8' /syncfromflags:manual /update`, actions, r)
	actions, r = plugintest.Expand(t, w32time.New(), plugintest.Target(t, "ubuntu"),
		machine.TimeSyncConfig{Daemon: machine.TimeDaemonW32Time})
	plugintest.Check(t, "Linux has others", "error: doc.daemon: w32time is Windows's own; leave it out, or name another",
		actions, r)
	actions, r = plugintest.Expand(t, w32time.New(), windows, machine.TimeSyncConfig{Enabled: new(false)})
	plugintest.Check(t, "the service is disabled", "unit: mask unit w32time.service", actions, r)
	plugintest.RefusesOtherKinds(t, w32time.New(), windows)
	plugintest.CheckTimeDaemon(t, w32time.New(), machine.TimeDaemonW32Time)
}
