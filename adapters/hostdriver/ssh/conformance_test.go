//go:build linux && !unit

package ssh_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/hosts"
)

// script appends a line to a file and waits for the file of Finish, which contains a failure or nothing.
const script = `#!/bin/sh
# ` + portstest.DriverCanary + `
echo started >>/var/lib/runs
until [ -e /var/tmp/finish ]; do sleep 0.1; done
failure=$(cat /var/tmp/finish)
rm /var/tmp/finish
if [ "$failure" ]; then
  echo "$failure"
  exit 1
fi
mkdir -p /run/cluster-api
echo success >/run/cluster-api/bootstrap-success.complete
`

// agent replaces the agent on the host: it resets what the script creates.
const agent = `#!/bin/sh
[ "$*" = "reset --yes" ] || exit 2
[ ! -e /var/lib/broken ] || exit 3
rm -rf /run/cluster-api
`

func TestHostDriver(t *testing.T) {
	network := hosts.NewNetwork(t)
	portstest.HostDriver(t, func(t *testing.T) portstest.DriverWorld {
		started := map[string]*hosts.Host{}
		driver := func(t *testing.T) ports.HostDriver {
			d := ssh.New(ssh.Options{Dial: network.Dial})
			t.Cleanup(d.Close)
			return d
		}
		at := func(target ports.HostTarget) *hosts.Host { return started[target.Name] }
		return portstest.DriverWorld{
			HostDriver: driver(t), Restart: driver, Formats: []ports.HostFormat{ports.HostFormatShell},
			Target: func(t *testing.T) ports.HostTarget {
				h := network.Start(t, hosts.Options{Files: map[string]string{"/usr/bin/machineadm": agent}})
				started[h.Name] = h
				return h.Target()
			},
			Data: func(*testing.T, ports.HostTarget) ports.HostBoot {
				return ports.HostBoot{Format: ports.HostFormatShell, Data: secret.FromString(script)}
			},
			Finish: func(t *testing.T, target ports.HostTarget, failure string) {
				at(target).Run(t, "printf %s '"+failure+"' >/var/tmp/finish")
			},
			Runs: func(t *testing.T, target ports.HostTarget) int {
				return strings.Count(at(target).Run(t, "cat /var/lib/runs || true"), "started")
			},
			Reboot:     func(t *testing.T, target ports.HostTarget) { at(target).Reboot(t) },
			Disconnect: func(t *testing.T, target ports.HostTarget) { at(target).Disconnect(t) },
			Connect:    func(t *testing.T, target ports.HostTarget) { at(target).Connect(t) },
			BreakReset: func(t *testing.T, target ports.HostTarget) { at(target).Run(t, "touch /var/lib/broken") },
			Visible:    func(t *testing.T, target ports.HostTarget) string { return at(target).Visible(t) },
		}
	})
}
