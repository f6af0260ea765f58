//go:build linux && !unit

package ssh_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/hostdriver/ssh"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/ports/portstest"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/hosts"
)

const claimID = "7d0fdc1e-0000-4000-8000-000000000001"

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

// TestShells runs a machine on hosts whose /bin/sh is another shell. BusyBox also replaces the other commands,
// except flock, which Debian's BusyBox does not have.
func TestShells(t *testing.T) {
	debian.Packages(t, "busybox")
	network := hosts.NewNetwork(t)
	const applets = "for name in base64 cat cp cut dd df find grep head ip ls mkdir mv rm sed setsid sha256sum sleep " +
		"sync tail timeout tr uname; do ln -s /usr/local/bin/busybox /usr/local/sbin/$name; done; " +
		"ln -sf /usr/local/bin/busybox /bin/sh"
	for shell, prepare := range map[string]string{
		"dash": "[ $(readlink /bin/sh) = dash ]", "bash": "ln -sf bash /bin/sh", "busybox": applets,
	} {
		t.Run(shell, func(t *testing.T) {
			busybox, err := os.ReadFile("/bin/busybox")
			if err != nil {
				t.Fatal(err)
			}
			h := network.Start(t, hosts.Options{Files: map[string]string{"/usr/local/bin/busybox": string(busybox)}})
			h.Run(t, prepare)
			d := ssh.New(ssh.Options{Dial: network.Dial})
			t.Cleanup(d.Close)
			lifecycle(t, d, h)
			networkPlugin(t, d, h)
		})
	}
}

// lifecycle claims the host, runs the script on it and releases it, as the user who needs sudo.
func lifecycle(t *testing.T, d *ssh.Driver, h *hosts.Host) {
	t.Helper()
	target := h.Target()
	target.Connection.User = hosts.Operator
	probe, err := d.Probe(t.Context(), target)
	if err != nil || probe.HostKey != h.HostKey || probe.CPUs == 0 || probe.MemoryBytes == 0 || probe.DiskFreeBytes == 0 ||
		probe.OSImage == "" || probe.Architecture == "" {
		t.Fatalf("error %v, probe %+v", err, probe)
	}
	if err := d.Claim(t.Context(), target, claimID); err != nil {
		t.Fatal(err)
	}
	if err := d.Boot(t.Context(), target, claimID, hosts.Script()); err != nil {
		t.Fatal(err)
	}
	await(t, d, target, host.PhaseRunning)
	h.Finish(t, "there is no disk")
	o := await(t, d, target, host.PhaseFailed)
	want := ports.HostObservation{
		Phase: host.PhaseFailed, Failure: "exit code 1: there is no disk", Hostname: h.Name, Addresses: []string{h.Address},
	}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Error(diff)
	}
	if err := d.Release(t.Context(), target, claimID); err != nil {
		t.Fatal(err)
	}
	await(t, d, target, host.PhaseReleased)
	if runs := h.Runs(t); runs != 1 {
		t.Errorf("the data was started %d times", runs)
	}
	// The phase follows from the claim, which is removed first. The lock is held until all is removed.
	if left := h.Run(t, "flock -w 60 /var/lib/machineadm-hosts/lock ls /var/lib/machineadm-hosts"); left != "lock\n" {
		t.Errorf("the host still has %q", left)
	}
}

// await waits until the claim has the phase.
func await(t *testing.T, d *ssh.Driver, target ports.HostTarget, wanted host.Phase) ports.HostObservation {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for {
		o, err := d.Observe(ctx, target, claimID)
		if err == nil && o.Phase == wanted {
			return o
		}
		if ctx.Err() != nil {
			t.Fatalf("the phase is %q, want %q; error %v", o.Phase, wanted, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// configuration is machine configuration for the agent.
const configuration = "apiVersion: machineadm.io/v1alpha1\nkind: File\nspec: {path: " +
	"/etc/applied, content: \"yes\\n\"}\n"

// TestAgentFormat applies machine configuration with the agent of the host. The driver accepts only the digests of its
// options.
func TestAgentFormat(t *testing.T) {
	network := hosts.NewNetwork(t)
	h := network.Start(t, hosts.Options{})
	digest, _, _ := strings.Cut(h.Run(t, "sha256sum /usr/bin/machineadm"), " ")
	boot := ports.HostBoot{Format: ports.HostFormatAgent, Data: secret.FromString(configuration)}
	other := strings.Repeat("0", len(digest))
	for _, c := range []struct {
		agents []string
		want   host.Fault
	}{{nil, host.FaultFormat}, {[]string{other}, host.FaultUnsupported}, {[]string{other, digest}, ""}} {
		d := ssh.New(ssh.Options{Dial: network.Dial, Agents: c.agents})
		t.Cleanup(d.Close)
		if probe, err := d.Probe(t.Context(), h.Target()); err != nil || probe.Agent != (c.want == "") {
			t.Errorf("agents %v: error %v, probe %+v", c.agents, err, probe)
		}
		claims(t, d, h.Target())
		err := d.Boot(t.Context(), h.Target(), claimID, boot)
		var failed *ports.HostError
		if errors.As(err, &failed) != (c.want != "") || c.want != "" && failed.Fault != c.want {
			t.Fatalf("agents %v: error %v, want the fault %q", c.agents, err, c.want)
		}
		if c.want != "" {
			await(t, d, h.Target(), host.PhaseClaimed)
			continue
		}
		await(t, d, h.Target(), host.PhaseSucceeded)
		h.Run(t, "test -e /etc/applied && ! test -e /var/lib/machineadm-hosts/"+claimID+"/data")
		if err := d.Release(t.Context(), h.Target(), claimID); err != nil {
			t.Fatal(err)
		}
		await(t, d, h.Target(), host.PhaseReleased)
		h.Run(t, "! test -e /etc/applied")
	}
}
