package staticpod_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/staticpod"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports"
)

// manifest is what the cases compare of a Pod.
type manifest struct {
	Spec struct {
		Containers []struct {
			Image string
			Env   []struct{ Name, Value string }
		}
		Volumes []struct {
			HostPath struct{ Path, Type string }
		}
	}
}

// expansion is the virtual IP on a machine of the node.
func expansion(v node.VirtualIP, n node.NodeConfig, others ...document.Value) ports.Expansion {
	source := document.Source{Path: "spec.controlPlane.virtualIP"}
	e := ports.Expansion{Document: document.Document{Value: v, Source: source}}
	for _, value := range append([]document.Value{n}, others...) {
		e.Others = append(e.Others, document.Document{Value: value, Source: document.Source{Path: "spec.other"}})
	}
	return e
}

func machineOf(role node.Role, version string) node.NodeConfig {
	return node.NodeConfig{Role: role, KubernetesVersion: version, Cluster: node.Cluster{Endpoint: "192.0.2.10:6443"}}
}

// expandPod expands a virtual IP without findings and returns its Pod.
func expandPod(t *testing.T, v node.VirtualIP, n node.NodeConfig) manifest {
	t.Helper()
	actions, r, err := staticpod.Expander{}.Expand(t.Context(), expansion(v, n))
	if err != nil || len(r) > 0 || len(actions) != 1 {
		t.Fatalf("%d actions, findings %v, error %v", len(actions), r, err)
	}
	file, _ := actions[0].Do.(action.WriteFile)
	text, _ := file.Content.Static()
	if file.Path != "/etc/kubernetes/manifests/kube-vip.yaml" {
		t.Errorf("the path is %s", file.Path)
	}
	var pod manifest
	if err := json.Unmarshal(text, &pod); err != nil {
		t.Fatal(err)
	}
	return pod
}

func TestVirtualIPKubeconfig(t *testing.T) {
	for name, c := range map[string]struct {
		reason string
		node   node.NodeConfig
		want   string
	}{
		"first": {
			"admin.conf has no permissions before the endpoint is reachable", machineOf(node.RoleInit, "v1.29.0"),
			"/etc/kubernetes/super-admin.conf",
		},
		"first, older": {
			"admin.conf has all permissions", machineOf(node.RoleInit, "v1.28.15"), "/etc/kubernetes/admin.conf",
		},
		"further": {
			"only kubeadm init writes super-admin.conf", machineOf(node.RoleControlPlane, "v1.36.3"),
			"/etc/kubernetes/admin.conf",
		},
	} {
		t.Run(name, func(t *testing.T) {
			volume := expandPod(t, node.VirtualIP{Address: "192.0.2.10"}, c.node).Spec.Volumes[0].HostPath
			if volume.Path != c.want || volume.Type != "File" {
				t.Errorf("%s: %+v, want %s", c.reason, volume, c.want)
			}
		})
	}
}

func TestVirtualIPSettings(t *testing.T) {
	common := map[string]string{
		"cp_enable": "true", "cp_namespace": "kube-system", "vip_nodename": "", "address": "192.0.2.10", "port": "6443",
		"vip_leaderelection": "true", "vip_leasename": "plndr-cp-lock", "vip_leaseduration": "5", "vip_renewdeadline": "3",
		"vip_retryperiod": "1", "prometheus_server": "127.0.0.1:2112",
	}
	for name, c := range map[string]struct {
		value node.VirtualIP
		more  map[string]string
		image string
	}{
		"ARP": {
			value: node.VirtualIP{Address: "192.0.2.10"}, more: map[string]string{"vip_arp": "true"},
			image: node.DefaultVirtualIPImage,
		},
		"interface and image": {
			value: node.VirtualIP{Address: "192.0.2.10", Interface: "eth1", Image: "mirror.example/kube-vip:1"},
			more:  map[string]string{"vip_arp": "true", "vip_interface": "eth1"}, image: "mirror.example/kube-vip:1",
		},
		"BGP": {
			value: node.VirtualIP{
				Address: "192.0.2.10", Interface: "eth1", ASN: 65000,
				Peers: []node.BGPPeer{{Address: "192.0.2.1", ASN: 65001}, {Address: "2001:db8::1", ASN: 4294967295}},
			},
			more: map[string]string{
				"bgp_enable": "true", "vip_interface": "lo", "vip_interfaceloglobal": "true", "bgp_routerinterface": "eth1",
				"bgp_as": "65000", "bgp_peers": "192.0.2.1:65001,[2001:db8::1]:4294967295",
			},
			image: node.DefaultVirtualIPImage,
		},
	} {
		t.Run(name, func(t *testing.T) {
			container := expandPod(t, c.value, machineOf(node.RoleControlPlane, "v1.36.3")).Spec.Containers[0]
			got, want := map[string]string{}, c.more
			for _, e := range container.Env {
				got[e.Name] = e.Value
			}
			for k, v := range common {
				want[k] = v
			}
			if diff := cmp.Diff(want, got); diff != "" || container.Image != c.image {
				t.Errorf("image %s, environment %s", container.Image, diff)
			}
		})
	}
}

func TestVirtualIPFindings(t *testing.T) {
	address := node.VirtualIP{Address: "192.0.2.10"}
	join := machineOf(node.RoleControlPlane, "v1.36.3")
	with := func(change func(*node.NodeConfig)) node.NodeConfig {
		n := join
		change(&n)
		return n
	}
	for name, c := range map[string]struct {
		reason    string
		expansion ports.Expansion
		want      string
	}{
		"name": {
			"it can resolve to the address",
			expansion(address, with(func(n *node.NodeConfig) { n.Cluster.Endpoint = "api.example.org:6443" })), "",
		},
		"other endpoint": {
			"clients would not use the address",
			expansion(address, with(func(n *node.NodeConfig) { n.Cluster.Endpoint = "192.0.2.11:6443" })),
			"warning: spec.controlPlane.virtualIP.address: 192.0.2.10 is not the endpoint of the cluster, 192.0.2.11; use the " +
				"same address, unless a load balancer forwards to it",
		},
		"other port": {
			"no API server has it",
			expansion(address, with(func(n *node.NodeConfig) { n.Cluster.Endpoint = "192.0.2.10:443" })),
			"warning: spec.controlPlane.virtualIP: API servers have the port 6443, and the cluster's endpoint has the port " +
				"443; use the same port: a virtual IP does not translate it",
		},
		"worker": {
			"it has no API server", expansion(address, machineOf(node.RoleWorker, "v1.36.3")),
			"error: spec.controlPlane.virtualIP: a worker runs no control plane; leave it out",
		},
		"static Pod of the same name": {
			"both would write one file", expansion(address, join, node.StaticPod{Name: "kube-vip"}),
			"error: spec.other: the virtual IP has a static Pod of this name; remove one of them, or use another name",
		},
		"Windows": {
			"kubeadm does not support it there",
			func() ports.Expansion {
				e := expansion(address, join)
				e.Target = osprofile.Target{Profile: osprofile.Profile{Family: osprofile.FamilyWindows}}
				return e
			}(),
			"error: spec.controlPlane.virtualIP: Windows machines run no control plane; leave it out",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, r, err := staticpod.Expander{}.Expand(t.Context(), c.expansion)
			if err != nil || r.String() != c.want {
				t.Errorf("%s: %s, error %v, want\n%s", c.reason, r, err, c.want)
			}
		})
	}
}
