//go:build linux && !unit

package ssh_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

// TestReleaseAfterLeaving releases control plane machines whose members of etcd do not let them go: the control plane
// provider has removed the member before, or the cluster has lost its quorum. After another failure of the agent, the
// members were perhaps not asked, so kubeadm does not run.
func TestReleaseAfterLeaving(t *testing.T) {
	const agent = "#!/bin/sh\n[ ! -e /etc/kubernetes/manifests/etcd.yaml ] || { echo 'revert: %s' >&2; exit 1; }\n" +
		"exec /usr/bin/machineadm \"$@\"\n"
	const leave = "leave etcd (/etc/kubernetes/manifests/etcd.yaml): no answer"
	network := hosts.NewNetwork(t)
	for name, c := range map[string]struct {
		failure, kubeadm string
		want             host.Fault
		// runs is the number of runs of kubeadm.
		runs string
	}{
		"no answer":       {leave, "rm -r /etc/kubernetes/manifests /var/lib/etcd/member", "", "1"},
		"another failure": {"the file system is busy", "true", host.FaultReset, "0"},
		"kubeadm fails":   {leave, "exit 1", host.FaultReset, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := network.Start(t, hosts.Options{Files: map[string]string{
				"/usr/local/bin/kubeadm": "#!/bin/sh\necho \"$*\" >>/var/lib/kubeadm\n" + c.kubeadm + "\n",
			}}), newDriver(t, network)
			boots(t, d, h.Target(), "#!/bin/sh\nmkdir -p /etc/kubernetes/manifests /var/lib/etcd/member\n"+
				"echo etcd | tee /etc/kubernetes/manifests/etcd.yaml >/var/lib/etcd/member/db\n"+hosts.Succeed)
			await(t, d, h.Target(), host.PhaseSucceeded)
			h.Run(t, "cat >/usr/local/sbin/machineadm <<'EOF'\n"+fmt.Sprintf(agent, c.failure)+"EOF\n"+
				"chmod 755 /usr/local/sbin/machineadm")
			if err := d.Release(t.Context(), h.Target(), claimID); err != nil {
				t.Fatal(err)
			}
			if err := released(t, d, h.Target()); faultOf(err) != c.want || c.want == "" && err != nil {
				t.Fatalf("error %v, want the fault %q", err, c.want)
			}
			runs := h.Run(t, "cat /var/lib/kubeadm 2>&1 | grep -cx 'reset --force' || true")
			if strings.TrimSpace(runs) != c.runs {
				t.Errorf("kubeadm reset ran %q times, want %s", runs, c.runs)
			}
			if c.want == "" {
				h.Run(t, "! test -e /etc/applied")
			}
		})
	}
}

// plugged is what a network plugin does: it writes a token, replaces the configuration of the image, and creates links.
const plugged = `cd /etc/cni/net.d
echo token >calico-kubeconfig
mv 10-image.conflist 10-image.conflist.cilium_bak
echo other >'-rf 10-flannel
.conflist'
mkdir -p multus.d /var/lib/cni/networks/cbr0 /run/flannel
echo id >/var/lib/cni/networks/cbr0/10.244.0.2
echo FLANNEL_SUBNET=10.244.0.1/24 >/run/flannel/subnet.env
ip link add cni0 type bridge
ip link add flannel.1 type bridge
ip link add wg0 type bridge
`

// remains lists the configuration of network plugins, and the links.
const remains = "cd /; find etc/cni/net.d var/lib/cni | sort; cat /etc/cni/net.d/10-image.conflist; " +
	"ls -di /etc/cni/net.d; ls /sys/class/net"

// networkPlugin expects that a released host has the configuration and the links that it had before the run. The folder
// is the same one: containerd ends when the folder that it watches is removed.
func networkPlugin(t *testing.T, d *ssh.Driver, h *hosts.Host) {
	t.Helper()
	h.Run(t, "mkdir -p /etc/cni/net.d /var/lib/cni && echo image >/etc/cni/net.d/10-image.conflist && "+
		"mount -t sysfs sysfs /sys && ip link add cilium_host type bridge && ip link set cilium_host up")
	before := h.Run(t, remains)
	// A link that is down was left by an earlier reset.
	h.Run(t, "ip link add kube-bridge type bridge")
	pluggedHost(t, d, h)
	if err := d.Release(t.Context(), h.Target(), claimID); err != nil {
		t.Fatal(err)
	}
	await(t, d, h.Target(), host.PhaseReleased)
	// wg0 is not a link of a network plugin.
	h.Run(t, "ip link delete wg0 && ! test -e /run/flannel/subnet.env")
	if diff := cmp.Diff(before, h.Run(t, remains)); diff != "" {
		t.Errorf("the host has the files and links (-before +after):\n%s", diff)
	}
}

// pluggedHost runs a machine with a network plugin on the host.
func pluggedHost(t *testing.T, d *ssh.Driver, h *hosts.Host) {
	t.Helper()
	boots(t, d, h.Target(), "#!/bin/sh\n"+plugged+hosts.Succeed)
	await(t, d, h.Target(), host.PhaseSucceeded)
}

// TestNetworkPluginOfEarlierVersions releases hosts whose run has no record of what was there before, and hosts with
// files that cannot be removed.
func TestNetworkPluginOfEarlierVersions(t *testing.T) {
	network := hosts.NewNetwork(t)
	for name, c := range map[string]struct{ change, want string }{
		"no record":     {"rm -r /var/lib/machineadm-hosts/" + claimID + "/network", ""},
		"not removable": {"mount -t tmpfs tmpfs /etc/cni/net.d/multus.d", "/etc/cni/net.d or /var/lib/cni has files"},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := network.Start(t, hosts.Options{}), newDriver(t, network)
			h.Run(t, "mkdir -p /etc/cni/net.d && touch -d yesterday /etc/cni/net.d/10-image.conflist /etc/cni/net.d/image")
			pluggedHost(t, d, h)
			h.Run(t, c.change)
			if err := d.Release(t.Context(), h.Target(), claimID); err != nil {
				t.Fatal(err)
			}
			err := released(t, d, h.Target())
			if c.want != "" {
				if faultOf(err) != host.FaultNotClean || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("error %v, want the fault %s", err, host.FaultNotClean)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			h.Run(t, "test -e /etc/cni/net.d/image && ! test -e /etc/cni/net.d/calico-kubeconfig && "+
				"! test -e /var/lib/cni/networks/cbr0/10.244.0.2")
		})
	}
}

// TestVirtualIPOfAReleasedHost expects that a released host does not have the virtual IP of its control plane, which
// kube-vip leaves when it is killed, and that it keeps its other addresses.
func TestVirtualIPOfAReleasedHost(t *testing.T) {
	network := hosts.NewNetwork(t)
	for name, c := range map[string]struct{ manifest, address, length string }{
		"IPv4": {`{"env":[{"name":"address","value":"198.51.100.9"},{"name":"port","value":"6443"}]}`, "198.51.100.9", "32"},
		"IPv6": {`{"env":[{"name":"address","value":"2001:DB8::9"},{"name":"port","value":"6443"}]}`, "2001:db8::9", "128"},
		"YAML": {"- name: address\n  value: 198.51.100.9\n- name: port\n  value: '6443'", "198.51.100.9", "32"},
	} {
		t.Run(name, func(t *testing.T) {
			h, d := network.Start(t, hosts.Options{Files: map[string]string{
				"/usr/local/bin/kubeadm": "#!/bin/sh\nrm -r /etc/kubernetes/manifests\n",
			}}), newDriver(t, network)
			h.Run(t, "ip link add eth9 type bridge && ip address add 198.51.100.1/24 dev eth9 && "+
				"ip address add 198.51.100.90/32 dev eth9 && ip address add 2001:db8::90/128 dev eth9")
			before := h.Run(t, "ip -o address show dev eth9")
			boots(t, d, h.Target(), "#!/bin/sh\nmkdir -p /etc/kubernetes/manifests\n"+
				"cat >/etc/kubernetes/manifests/kube-vip.yaml <<'EOF'\n"+c.manifest+"\nEOF\n"+
				"ip address add "+c.address+"/"+c.length+" dev eth9\n"+hosts.Succeed)
			await(t, d, h.Target(), host.PhaseSucceeded)
			h.Run(t, "ip -o address show | grep -F ' "+c.address+"/"+c.length+" '")
			if err := d.Release(t.Context(), h.Target(), claimID); err != nil {
				t.Fatal(err)
			}
			if err := released(t, d, h.Target()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, h.Run(t, "ip -o address show dev eth9")); diff != "" {
				t.Errorf("the host has the addresses (-before +after):\n%s", diff)
			}
		})
	}
}

// TestCredentialsOfAnEarlierCluster expects that a host is not clean with the kubeconfig of a network plugin, such as
// one that an earlier version released.
func TestCredentialsOfAnEarlierCluster(t *testing.T) {
	network := hosts.NewNetwork(t)
	h, d := network.Start(t, hosts.Options{}), newDriver(t, network)
	h.Run(t, "mkdir -p /etc/cni/net.d/multus.d && touch /etc/cni/net.d/multus.d/multus.kubeconfig")
	if _, err := d.Probe(t.Context(), h.Target()); faultOf(err) != host.FaultNotClean ||
		!strings.Contains(err.Error(), "/etc/cni/net.d") {
		t.Errorf("probe: error %v", err)
	}
	if err := d.Claim(t.Context(), h.Target(), claimID); faultOf(err) != host.FaultNotClean {
		t.Errorf("claim: error %v", err)
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
