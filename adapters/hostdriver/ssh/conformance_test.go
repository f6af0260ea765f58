//go:build linux && !unit

package ssh_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/hosts"
)

func TestHostDriver(t *testing.T) {
	network := hosts.NewNetwork(t)
	portstest.HostDriver(t, func(t *testing.T) portstest.DriverWorld {
		driver := func(t *testing.T) ports.HostDriver {
			d := ssh.New(ssh.Options{Dial: network.Dial})
			t.Cleanup(d.Close)
			return d
		}
		h := network.Start(t, hosts.Options{})
		return portstest.DriverWorld{
			HostDriver: driver(t), Restart: driver, Formats: []ports.HostFormat{ports.HostFormatShell},
			Target:     func(*testing.T) ports.HostTarget { return h.Target() },
			Data:       func(*testing.T, ports.HostTarget) ports.HostBoot { return hosts.Script() },
			Finish:     func(t *testing.T, _ ports.HostTarget, failure string) { h.Finish(t, failure) },
			Runs:       func(t *testing.T, _ ports.HostTarget) int { return h.Runs(t) },
			Reboot:     func(t *testing.T, _ ports.HostTarget) { h.Reboot(t) },
			Disconnect: func(t *testing.T, _ ports.HostTarget) { h.Disconnect(t) },
			Connect:    func(t *testing.T, _ ports.HostTarget) { h.Connect(t) },
			BreakReset: func(t *testing.T, _ ports.HostTarget) { h.BreakReset(t) },
			Visible:    func(t *testing.T, _ ports.HostTarget) string { return h.Visible(t) },
		}
	})
}
