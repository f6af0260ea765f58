//go:build linux && !unit

package ssh_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/hosts"
)

// faultOf returns the fault of an error, or an empty string if it has none.
func faultOf(err error) host.Fault {
	var failed *ports.HostError
	if errors.As(err, &failed) {
		return failed.Fault
	}
	return ""
}

// newDriver returns a driver that ends with the test.
func newDriver(t *testing.T, network *hosts.Network) *ssh.Driver {
	t.Helper()
	d := ssh.New(ssh.Options{Dial: network.Dial})
	t.Cleanup(d.Close)
	return d
}

// claims claims the host for claimID.
func claims(t *testing.T, d *ssh.Driver, target ports.HostTarget) {
	t.Helper()
	if err := d.Claim(t.Context(), target, claimID); err != nil {
		t.Fatal(err)
	}
}

// boots claims the host and starts the data.
func boots(t *testing.T, d *ssh.Driver, target ports.HostTarget, data string) {
	t.Helper()
	claims(t, d, target)
	boot := ports.HostBoot{Format: ports.HostFormatShell, Data: secret.FromString(data)}
	if err := d.Boot(t.Context(), target, claimID, boot); err != nil {
		t.Fatal(err)
	}
}

// TestScriptWithoutAgent releases a host on which a script of another provider succeeded. No one reverts what the
// script left, and a reboot has removed the sentinel.
func TestScriptWithoutAgent(t *testing.T) {
	const sentinel = "mkdir -p /run/cluster-api\n: >/run/cluster-api/bootstrap-success.complete\n"
	network := hosts.NewNetwork(t)
	for name, c := range map[string]struct {
		end    string
		phase  host.Phase
		reboot bool
	}{
		"success":            {sentinel, host.PhaseSucceeded, false},
		"reboot":             {sentinel, host.PhaseSucceeded, true},
		"without a sentinel": {"", host.PhaseFailed, true},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := network.Start(t, hosts.Options{}), newDriver(t, network)
			boots(t, d, h.Target(), "#!/bin/sh\necho key >/etc/left\n"+c.end)
			await(t, d, h.Target(), c.phase)
			if c.reboot {
				h.Reboot(t)
			}
			// A repetition has the same result.
			for range 2 {
				if err := d.Release(t.Context(), h.Target(), claimID); err != nil {
					t.Fatal(err)
				}
				if err := released(t, d, h.Target()); faultOf(err) != host.FaultNotClean ||
					!strings.Contains(err.Error(), "without the agent") {
					t.Fatalf("error %v, want the fault %s", err, host.FaultNotClean)
				}
			}
			h.Run(t, "test -e /etc/left")
		})
	}
}

// released waits for the end of a reset, and returns its error.
func released(t *testing.T, d *ssh.Driver, target ports.HostTarget) error {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		o, err := d.Observe(t.Context(), target, claimID)
		if f := faultOf(err); f != "" && f.Scope() != host.ScopeTemporary || o.Phase == host.PhaseReleased {
			return err
		}
	}
	t.Fatal("the reset does not end")
	return nil
}
