package bootstrap_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
)

var proxyURL = secret.FromString("http://proxy.example:3128")

// renderedProxies returns the exceptions of the proxies that are rendered for a machine with the documents, and the
// findings.
func renderedProxies(t *testing.T, w *world, family osprofile.Family, change func(*bootstrap.Request),
	values ...document.Value,
) ([][]string, string) {
	t.Helper()
	r := request(change)
	before := r.Describe
	r.Describe = func(ctx context.Context) (composition.Description, error) {
		d, err := before(ctx)
		d.Target.Profile.Family = family
		for _, v := range values {
			d.Documents = append(d.Documents, document.Document{Value: v, Source: document.Source{Path: "doc"}})
		}
		return d, err
	}
	ready := w.ready(t, r)
	var lists [][]string
	for _, d := range w.rendered {
		switch v := d.Value.(type) {
		case machine.ProxyConfig:
			lists = append(lists, v.NoProxy)
		case machine.ContainerdConfig:
			lists = append(lists, v.Proxy.NoProxy)
		case machine.CRIOConfig:
			lists = append(lists, v.Proxy.NoProxy)
		}
	}
	return lists, ready.Findings.String()
}

// TestProxyExceptions checks what machines reach without their proxy: with a proxy between kubelet and the API server,
// machines do not join, or all nodes are lost when the proxy restarts.
func TestProxyExceptions(t *testing.T) {
	network := node.Cluster{
		Name: "c1", Endpoint: "[fd00::a]:6443", PodSubnets: []string{"10.244.0.0/16", "fd01::/48"},
		ServiceSubnets: []string{"10.96.0.0/16"}, DNSDomain: "k8s.example",
	}
	own := machine.ProxyConfig{HTTPProxy: proxyURL, NoProxy: []string{"b.example", "10.0.0.0/16", ".svc", "127.0.0.1"}}
	cases := map[string]struct {
		reason string
		family osprofile.Family
		value  document.Value
		want   string
	}{
		"none": {
			reason: "all is added", value: machine.ProxyConfig{HTTPSProxy: proxyURL},
			want: "localhost 127.0.0.1 ::1 fd00::a .k8s.example 10.244.0.0/16 fd01::/48 10.96.0.0/16 .svc",
		},
		"own": {
			reason: "the user's order is first, and nothing is doubled", value: own,
			want: "b.example 10.0.0.0/16 .svc 127.0.0.1 localhost ::1 fd00::a .k8s.example 10.244.0.0/16 fd01::/48 10.96.0.0/16",
		},
		"containerd": {
			reason: "a registry may be in the cluster",
			value:  machine.ContainerdConfig{Proxy: &machine.ProxyConfig{HTTPSProxy: proxyURL, NoProxy: []string{"a"}}},
			want:   "a localhost 127.0.0.1 ::1 fd00::a .k8s.example 10.244.0.0/16 fd01::/48 10.96.0.0/16 .svc",
		},
		"CRI-O": {
			reason: "a registry may be in the cluster",
			value:  machine.CRIOConfig{Proxy: &machine.ProxyConfig{HTTPSProxy: proxyURL}},
			want:   "localhost 127.0.0.1 ::1 fd00::a .k8s.example 10.244.0.0/16 fd01::/48 10.96.0.0/16 .svc",
		},
		"Bottlerocket": {
			reason: "the system adds itself, the endpoint and the domain", family: osprofile.FamilyBottlerocket,
			value: machine.ProxyConfig{HTTPSProxy: proxyURL, NoProxy: []string{"a"}},
			want:  "a 10.244.0.0/16 fd01::/48 10.96.0.0/16 .svc",
		},
		"all": {
			reason: "curl supports the star only alone",
			value:  machine.ProxyConfig{HTTPSProxy: proxyURL, NoProxy: []string{"*"}}, want: "*",
		},
		"no proxy": {reason: "there are no exceptions", value: machine.ProxyConfig{NoProxy: []string{"a"}}, want: "a"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, _ := renderedProxies(t, newWorld(), tc.family,
				func(r *bootstrap.Request) { r.Cluster.Network = network }, tc.value)
			if diff := cmp.Diff([][]string{strings.Fields(tc.want)}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if got := []string{"b.example", "10.0.0.0/16", ".svc", "127.0.0.1"}; !slices.Equal(own.NoProxy, got) {
		t.Errorf("the description was changed: %q", own.NoProxy)
	}
}

// TestProxyOfTheFirstMachine checks a cluster without an endpoint, and the cluster's default domain.
func TestProxyOfTheFirstMachine(t *testing.T) {
	got, _ := renderedProxies(t, newWorld(), "", func(r *bootstrap.Request) {
		controlPlane(r)
		uninitialized(r)
		r.Cluster.Network = node.Cluster{Name: "c1"}
	}, machine.ProxyConfig{HTTPSProxy: proxyURL})
	if diff := cmp.Diff([][]string{strings.Fields("localhost 127.0.0.1 ::1 .cluster.local .svc")}, got); diff != "" {
		t.Errorf("exceptions (-want +got):\n%s", diff)
	}
}

// TestProxyOfAControlPlaneMachine checks the warning about the address of the machine, to which its kubelet connects.
func TestProxyOfAControlPlaneMachine(t *testing.T) {
	version := func(v string, change ...func(*bootstrap.Request)) func(*bootstrap.Request) {
		return func(r *bootstrap.Request) {
			r.Machine.Version = v
			for _, c := range change {
				c(r)
			}
		}
	}
	names := machine.ProxyConfig{HTTPSProxy: proxyURL, NoProxy: []string{"a.example"}}
	cases := map[string]struct {
		reason string
		change func(*bootstrap.Request)
		config machine.ProxyConfig
		want   bool
	}{
		"names":  {"no name is that of all machines", version("v1.36.3", controlPlane), names, true},
		"old":    {"kubelet connects to the endpoint", version("v1.32.3", controlPlane), names, false},
		"worker": {"kubelet connects to the endpoint", version("v1.36.3"), names, false},
		"only HTTP": {
			"the API server has HTTPS", version("v1.36.3", controlPlane), machine.ProxyConfig{HTTPProxy: proxyURL}, false,
		},
		"network": {
			"it can be that of the machines", version("v1.36.3", controlPlane),
			machine.ProxyConfig{HTTPSProxy: proxyURL, NoProxy: []string{"10.0.0.0/16"}},
			false,
		},
		"all": {
			"it contains the machines", version("v1.36.3", controlPlane),
			machine.ProxyConfig{HTTPSProxy: proxyURL, NoProxy: []string{"*"}},
			false,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, findings := renderedProxies(t, newWorld(), "", tc.change, tc.config)
			want := ""
			if tc.want {
				want = "warning: doc.noProxy: kubelet of a control plane machine connects to the address of the machine, and the " +
					"list contains no network; add the network of the machines, such as 10.0.0.0/16"
			}
			if strings.TrimSpace(findings) != want {
				t.Errorf("%s: got %q, want %q", tc.reason, findings, want)
			}
		})
	}
}
