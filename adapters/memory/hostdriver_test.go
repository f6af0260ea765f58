package memory_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
)

func keyOf(t ports.HostTarget) ports.Key { return ports.Key{Namespace: t.Namespace, Name: t.Name} }

func TestHostDriverConforms(t *testing.T) {
	portstest.HostDriver(t, func(*testing.T) portstest.DriverWorld {
		fleet := &memory.HostFleet{}
		return portstest.DriverWorld{
			HostDriver: fleet.Driver(ports.HostFormatShell), Formats: []ports.HostFormat{ports.HostFormatShell},
			Target: func(*testing.T) ports.HostTarget { return ports.HostTarget{Namespace: "a", Name: "b"} },
			Data: func(*testing.T, ports.HostTarget) ports.HostBoot {
				return ports.HostBoot{
					Format: ports.HostFormatShell, Data: secret.FromString(portstest.DriverCanary), Hostname: "b",
				}
			},
			Finish: func(_ *testing.T, h ports.HostTarget, failure string) { fleet.Finish(keyOf(h), failure) },
			Runs: func(_ *testing.T, h ports.HostTarget) int {
				runs, _ := fleet.Runs(keyOf(h))
				return runs
			},
			Reboot: func(_ *testing.T, h ports.HostTarget) { fleet.Reboot(keyOf(h)) },
			Disconnect: func(_ *testing.T, h ports.HostTarget) {
				fleet.Fail(keyOf(h), memory.HostFailure{Fault: host.FaultUnreachable})
			},
			Connect:    func(_ *testing.T, h ports.HostTarget) { fleet.Fail(keyOf(h), memory.HostFailure{}) },
			BreakReset: func(_ *testing.T, h ports.HostTarget) { fleet.BreakReset(keyOf(h)) },
			Restart:    func(*testing.T) ports.HostDriver { return fleet.Driver(ports.HostFormatShell) },
			// No one but the test reads the memory.
			Visible: func(*testing.T, ports.HostTarget) string { return "" },
		}
	})
}

// TestHostDriverInjectsFaults checks that a call that fails afterwards has changed the host, and any other has not.
func TestHostDriverInjectsFaults(t *testing.T) {
	fleet, h := &memory.HostFleet{}, ports.HostTarget{Namespace: "a", Name: "b"}
	driver := fleet.Driver(ports.HostFormatShell)
	for _, after := range []bool{false, true} {
		fleet.Fail(keyOf(h), memory.HostFailure{Fault: host.FaultUnreachable, After: after}, memory.HostCallClaim)
		if err := driver.Claim(t.Context(), h, "c"); err == nil {
			t.Errorf("after=%v: the call succeeds", after)
		}
		if got := fleet.Claim(keyOf(h)) == "c"; got != after {
			t.Errorf("after=%v: the host has the claim: %v", after, got)
		}
	}
}
