package bootstrap_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
)

// TestForwarding checks that machines of clusters with IPv6 forward its packets: kubeadm refuses them otherwise.
func TestForwarding(t *testing.T) {
	const four, six = "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"
	cases := map[string]struct {
		network node.Cluster
		given   string
		want    []string
	}{
		"IPv4":       {network: node.Cluster{PodSubnets: []string{"10.244.0.0/16"}}, want: []string{four}},
		"dual-stack": {network: node.Cluster{PodSubnets: []string{"10.244.0.0/16", "fd00::/48"}}, want: []string{four, six}},
		"services":   {network: node.Cluster{ServiceSubnets: []string{"fd00:96::/112"}}, want: []string{four, six}},
		"endpoint":   {network: node.Cluster{Endpoint: "[fd00::a]:6443"}, want: []string{four, six}},
		"set by the user": {
			network: node.Cluster{PodSubnets: []string{"fd00::/48"}}, given: "net/ipv6/conf/default/forwarding",
			want: []string{four, "net/ipv6/conf/default/forwarding=0"},
		},
		"optional": {given: "-net.ipv4.ip_forward", want: []string{"-net.ipv4.ip_forward=0"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			var docs []document.Document
			if c.given != "" {
				settings := []machine.Sysctl{{Name: c.given, Value: "0"}}
				docs = append(docs, document.Document{Value: machine.SysctlConfig{Settings: settings}})
			}
			w.ready(t, request(func(r *bootstrap.Request) {
				c.network.Name = r.Cluster.Network.Name
				if c.network.Endpoint == "" {
					c.network.Endpoint = r.Cluster.Network.Endpoint
				}
				r.Cluster.Network, r.Describe = c.network, describe(docs...)
			}))
			sysctls, _, _ := document.First[machine.SysctlConfig](w.rendered)
			var got []string
			for _, s := range sysctls.Settings {
				got = append(got, s.Name+"="+s.Value)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("sysctls (-want +got):\n%s", diff)
			}
		})
	}
}
