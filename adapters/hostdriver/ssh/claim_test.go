//go:build linux && !unit

package ssh_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/test/hosts"
)

// otherID is the claim of another machine.
const otherID = "7d0fdc1e-0000-4000-8000-000000000002"

// TestUnreadableClaim checks that a host that cannot read its claim, such as one without memory for another process,
// does not look like a host without a claim.
func TestUnreadableClaim(t *testing.T) {
	network := hosts.NewNetwork(t)
	h, d := network.Start(t, hosts.Options{}), newDriver(t, network)
	target := h.Target()
	boots(t, d, target, string(hosts.Script().Data.Reveal()))
	await(t, d, target, host.PhaseRunning)
	h.Run(t, `printf '#!/bin/sh\ncase ${1-} in */claim) exit 1 ;; esac\nexec /bin/cat "$@"\n' >/usr/local/sbin/cat
chmod 755 /usr/local/sbin/cat`)
	for name, call := range map[string]func() error{
		"probe":   func() error { _, err := d.Probe(t.Context(), target); return err },
		"observe": func() error { _, err := d.Observe(t.Context(), target, claimID); return err },
		"claim":   func() error { return d.Claim(t.Context(), target, otherID) },
		"boot":    func() error { return d.Boot(t.Context(), target, claimID, hosts.Script()) },
		"release": func() error { return d.Release(t.Context(), target, claimID) },
	} {
		if err := call(); faultOf(err) != host.FaultBusy {
			t.Errorf("%s: error %v, want the fault %s", name, err, host.FaultBusy)
		}
	}
	h.Run(t, "rm /usr/local/sbin/cat")
	await(t, d, target, host.PhaseRunning)
	h.Run(t, "test -e /var/lib/machineadm-hosts/"+claimID+"/data")
	if runs := h.Runs(t); runs != 1 {
		t.Errorf("the data was started %d times", runs)
	}
}

// TestProbeFindsWhatPreventsAClaim checks that a host to which no claim can be written does not pass a probe.
func TestProbeFindsWhatPreventsAClaim(t *testing.T) {
	network := hosts.NewNetwork(t)
	h, d := network.Start(t, hosts.Options{}), newDriver(t, network)
	for name, c := range map[string]struct {
		mount string
		want  host.Fault
	}{
		"read-only":       {"mount -t tmpfs -o ro tmpfs /var/lib", host.FaultUnsupported},
		"no inodes":       {"mount -t tmpfs -o nr_inodes=1 tmpfs /var/lib", host.FaultDiskFull},
		"unlimited files": {"mount -t tmpfs -o nr_inodes=0 tmpfs /var/lib", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h.Run(t, c.mount)
			if _, err := d.Probe(t.Context(), h.Target()); faultOf(err) != c.want || c.want == "" && err != nil {
				t.Errorf("probe: error %v, want the fault %q", err, c.want)
			}
			if err := d.Claim(t.Context(), h.Target(), claimID); faultOf(err) != c.want || c.want == "" && err != nil {
				t.Errorf("claim: error %v, want the fault %q", err, c.want)
			}
			h.Run(t, "umount /var/lib")
		})
	}
}
