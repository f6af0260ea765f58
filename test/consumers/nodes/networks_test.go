//go:build linux

package nodes_test

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/test/nightly"
)

// stack is the network of a cluster: the IP versions of its machines, its Pods and its Services.
type stack struct {
	subnets []string
	// endpoint is the address of the first machine, as URLs contain it.
	endpoint string
	// cluster and machine replace text of the manifests: old and new by turns. MACHINE and ADDRESS are the numbers of a
	// machine.
	cluster, machine []string
	// addresses are those of a machine.
	addresses []string
}

func stacks() map[string]stack {
	return map[string]stack{
		"IPv6": {
			subnets: []string{"fd00:77::/64"}, endpoint: "[fd00:77::a]",
			cluster: []string{
				"10.244.0.0/16", "fd00:244::/48", "10.96.0.0/16", "fd00:96::/112", firstAddress, "fd00:77::a",
			},
			machine: []string{
				gateway + ":5000", "[fd00:77::1]:5000", "10.244.NUMBER.0/24", "fd00:244:0:MACHINE::/64", "0.0.0.0/0",
				"::/0", `net.ipv4.ip_forward: "1"`, `net.ipv6.conf.all.forwarding: "1"`,
			},
			addresses: []string{"fd00:77::ADDRESS"},
		},
		"dual-stack": {
			subnets: []string{subnet + "0/24", "fd00:77::/64"}, endpoint: firstAddress,
			cluster: []string{
				"10.244.0.0/16", "10.244.0.0/16, fd00:244::/48", "10.96.0.0/16", "10.96.0.0/16, fd00:96::/112",
			},
			machine: []string{
				`[{"subnet": "10.244.NUMBER.0/24"}]`,
				`[{"subnet": "10.244.MACHINE.0/24"}], [{"subnet": "fd00:244:0:MACHINE::/64"}]`,
				`{"dst": "0.0.0.0/0"}`, `{"dst": "0.0.0.0/0"}, {"dst": "::/0"}`,
				`net.ipv4.ip_forward: "1"`, "net.ipv4.ip_forward: \"1\"\n      net.ipv6.conf.all.forwarding: \"1\"",
				// kubelet reports one address without this argument.
				"kubelet:\n", "kubelet:\n      extraArgs: [{name: node-ip, value: \"" + subnet + "ADDRESS,fd00:77::ADDRESS\"}]\n",
			},
			addresses: []string{subnet + "ADDRESS", "fd00:77::ADDRESS"},
		},
	}
}

// TestClustersOfBothIPVersions creates a cluster of a control plane machine and a worker in each network. Their Nodes
// are ready and have an address of each IP version. A profile hardens the control plane machine, which answers the
// benchmark.
func TestClustersOfBothIPVersions(t *testing.T) {
	t.Parallel()
	for name, s := range nightly.Cases(t, stacks(), "IPv6") {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			config := namespace.Network{Bridge: bridge, Namespace: w.network}
			for _, text := range s.subnets {
				config.Subnets = append(config.Subnets, netip.MustParsePrefix(text))
			}
			w.driver = namespace.New(namespace.Config{Directory: w.dir, Network: config})
			w.serve(t)
			w.bench(t)
			c := newCluster(t, w)
			c.base = strings.NewReplacer(s.cluster...).Replace(c.base)
			c.api.Host = "https://" + s.endpoint + ":6443"
			for i, o := range []order{{name: "plane-1", plane: true, edit: profile()}, {name: "worker-1"}} {
				// The driver leases addresses from the tenth, which is also the tenth in hexadecimal here.
				o.number = 10 + i
				o.edit = append(s.texts(s.machine, o.number), o.edit...)
				m, err := c.boot(t, o)
				if err != nil {
					t.Fatalf("%v\n%s", err, m.logs())
				}
				c.ready(t, m, o.plane)
				c.hasAddresses(t, m, s.texts(s.addresses, o.number))
				if o.plane {
					m.answersTheBenchmark(t)
				}
			}
		})
	}
}

// texts returns the texts with the numbers of a machine.
func (s stack) texts(all []string, number int) []string {
	replaced := make([]string, len(all))
	for i, text := range all {
		address := strconv.Itoa(number)
		text = strings.ReplaceAll(text, "fd00:77::ADDRESS", "fd00:77::"+strconv.FormatInt(int64(number), 16))
		replaced[i] = strings.NewReplacer("ADDRESS", address, "MACHINE", address).Replace(text)
	}
	return replaced
}

// hasAddresses checks the addresses of the machine's Node, and that it has Pods of the same IP versions.
func (c *cluster) hasAddresses(t *testing.T, m *machine, wanted []string) {
	t.Helper()
	api, err := c.GetUncachedClient(t.Context(), client.ObjectKey{})
	if err != nil {
		t.Fatal(err)
	}
	// The controller manager assigns networks to a Node when it sees it.
	n := &corev1.Node{}
	NewWithT(t).Eventually(func() ([]string, error) {
		err := api.Get(t.Context(), client.ObjectKey{Name: m.name}, n)
		return n.Spec.PodCIDRs, err
	}).WithTimeout(patience).Should(HaveLen(len(wanted)), m.logs)
	var got []string
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			got = append(got, a.Address)
		}
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("%s has other addresses:\n%s", m.name, diff)
	}
}
