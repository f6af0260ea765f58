package bottlerocket_test

import (
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestWorker(t *testing.T) {
	n := worker(t, func(n *node.NodeConfig) {
		n.Cluster.ServiceSubnets, n.Cluster.DNSDomain = []string{"fd00:1::/112", "10.128.0.0/12"}, "k8s.example"
		n.Registration = node.Registration{
			Name: document.Text("node-1.example"),
			Labels: []node.Label{
				{Key: "node.kubernetes.io/pool", Value: document.Text("a")}, {Key: "yes", Value: document.Text("no")},
			},
			Taints: []node.Taint{
				{Key: "a", Value: "x", Effect: "NoSchedule"},
				{Key: "b.c/d", Effect: "NoExecute"},
				{Key: "a", Effect: "NoExecute"},
			},
		}
	})
	ca := base64.StdEncoding.EncodeToString(n.Certificates[0].Content.Reveal())
	want := map[string]any{"kubernetes": map[string]any{
		"api-server": "https://demo.example:6443", "authentication-mode": "tls", "bootstrap-token": token,
		"cloud-provider":      "",
		"cluster-certificate": ca, "cluster-dns-ip": []any{"fd00:1::a"}, "cluster-domain": "k8s.example",
		"cluster-name":      "demo",
		"hostname-override": "node-1.example", "server-tls-bootstrap": false,
		"node-labels": map[string]any{"node.kubernetes.io/pool": "a", "yes": "no"},
		"node-taints": map[string]any{"a": []any{"x:NoSchedule", ":NoExecute"}, "b.c/d": []any{":NoExecute"}},
	}}
	if diff := cmp.Diff(want, read(t, planOf(n))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSystem(t *testing.T) {
	pem := certificate(t)
	docs := []document.Value{
		machine.HostConfig{Hostname: "node-1"},
		machine.TimeSyncConfig{Servers: []string{"a.example"}, Pools: []string{"10.0.0.1"}},
		machine.SysctlConfig{Settings: []machine.Sysctl{
			{Name: "-net.ipv4.ip_forward", Value: "1"},
			{Name: "kernel/core_pattern", Value: "|/bin/x %p"},
		}},
		machine.KernelModulesConfig{Modules: []machine.KernelModule{{Name: "br_netfilter"}}},
		machine.KernelArguments{ShouldExist: []string{"console=tty0", "quiet", "console=ttyS1,115200n8"}},
		machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "site", PEM: pem}}},
		machine.ProxyConfig{
			HTTPSProxy: secret.FromString("http://u:p%3D@proxy.example:3128"),
			NoProxy:    []string{"10.0.0.0/8", ".example"},
		},
		machine.OSUpdatesConfig{},
		machine.KubernetesConfig{},
		node.StaticPod{Name: "proxy", Manifest: []byte("kind: Pod\r\n# {{ x }} %n \u2028")},
	}
	want := map[string]any{
		"ntp": map[string]any{"time-servers": []any{"a.example", "10.0.0.1"}},
		"kernel": map[string]any{
			"sysctl":  map[string]any{"net.ipv4.ip_forward": "1", "kernel/core_pattern": "|/bin/x %p"},
			"modules": map[string]any{"br_netfilter": map[string]any{"allowed": true, "autoload": true}},
		},
		"boot": map[string]any{
			"reboot-to-reconcile": true,
			"kernel-parameters":   map[string]any{"console": []any{"tty0", "ttyS1,115200n8"}, "quiet": []any{}},
		},
		"pki": map[string]any{"site": map[string]any{"data": base64.StdEncoding.EncodeToString(pem), "trusted": true}},
		"network": map[string]any{
			"hostname": "node-1", "https-proxy": "http://u:p%3D@proxy.example:3128",
			"no-proxy": []any{"10.0.0.0/8", ".example"},
		},
		"kubernetes": map[string]any{"static-pods": map[string]any{"proxy": map[string]any{
			"enabled": true, "manifest": base64.StdEncoding.EncodeToString([]byte("kind: Pod\r\n# {{ x }} %n \u2028")),
		}}},
	}
	if diff := cmp.Diff(want, read(t, planOf(docs...))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestRegistries(t *testing.T) {
	hub := &machine.RegistryAuth{Username: "u", Password: secret.FromString("p&<>'`= {{x}}")}
	c := machine.ContainerdConfig{CgroupDriver: machine.CgroupDriverSystemd, Registries: []machine.Registry{
		{Host: "docker.io", Auth: hub, Mirrors: []machine.RegistryEndpoint{
			{URL: "https://a.example", Auth: &machine.RegistryAuth{Token: secret.FromString("t")}},
			{URL: "https://a.example/hub", Capabilities: []string{"resolve", "pull"}},
			{URL: "https://a.example/v2/hub", OverridePath: true},
		}},
		{Host: "registry-1.docker.io", Auth: hub},
		{Host: "_default", Server: "http://b.example:5000"},
	}}
	want := map[string]any{"container-registry": map[string]any{
		"mirrors": []any{
			map[string]any{"registry": "docker.io", "endpoint": []any{
				"https://a.example", "https://a.example/hub/v2",
				"https://a.example/v2/hub",
			}},
			map[string]any{"registry": "*", "endpoint": []any{"http://b.example:5000"}},
		},
		"credentials": []any{
			map[string]any{"registry": "docker.io", "username": "u", "password": "p&<>'`= {{x}}"},
			map[string]any{"registry": "a.example", "identitytoken": "t"},
		},
	}}
	if diff := cmp.Diff(want, read(t, planOf(c))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestKubelet(t *testing.T) {
	n := worker(t, func(n *node.NodeConfig) {
		n.Kubelet = node.Kubelet{
			Config: node.Tree{
				"maxPods": int64(50), "podPidsLimit": float64(4096), "evictionHard": map[string]any{
					"memory.available":  "5%",
					"nodefs.inodesFree": "1Ki",
				},
				"kubeReserved": map[string]any{"cpu": "100m"}, "serverTLSBootstrap": true, "clusterDNS": []any{"10.1.2.3"},
				"eventRecordQPS":      0,
				"memoryManagerPolicy": "Static", "reservedMemory": []any{
					map[string]any{"numaNode": int64(0), "limits": map[string]any{"memory": "612Mi"}},
					map[string]any{"numaNode": float64(1), "limits": map[string]any{"memory": "100Mi"}},
				},
				"cpuManagerPolicyOptions": map[string]any{"full-pcpus-only": "true"}, "allowedUnsafeSysctls": []any{"net.core.*"},
				"readOnlyPort": float64(0), "authentication": map[string]any{"anonymous": map[string]any{"enabled": false}},
			},
			Args: []node.Arg{
				{Name: "cloud-provider", Value: document.Text("external")},
				{Name: "v", Value: document.Text("4")},
				{Name: "provider-id", Value: document.Text("aws:///eu/i-1")},
				{Name: "node-ip", Value: document.FromFact(document.FactPrivateIPv4)},
			},
		}
		n.Registration.Name = document.FromFact(document.FactHostname)
	})
	got, _ := read(t, planOf(n))["kubernetes"].(map[string]any)
	for _, key := range []string{
		"api-server", "authentication-mode", "bootstrap-token", "cluster-certificate",
		"cluster-domain", "cluster-name",
	} {
		delete(got, key)
	}
	want := map[string]any{
		"max-pods": int64(50), "pod-pids-limit": int64(4096), "kube-reserved": map[string]any{"cpu": "100m"},
		"eviction-hard": map[string]any{"memory.available": "5%", "nodefs.inodesFree": "1Ki"}, "server-tls-bootstrap": true,
		"cluster-dns-ip": []any{"10.1.2.3"}, "event-qps": int64(0), "cpu-manager-policy-options": []any{"full-pcpus-only"},
		"allowed-unsafe-sysctls": []any{"net.core.*"}, "cloud-provider": "external", "log-level": int64(4),
		"provider-id": "aws:///eu/i-1", "memory-manager-policy": "Static",
		"memory-manager-reserved-memory": map[string]any{
			"0": map[string]any{"enabled": true, "memory": "612Mi"}, "1": map[string]any{"enabled": true, "memory": "100Mi"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPayload(t *testing.T) {
	rendering, _, err := bottlerocket.Renderer{}.Render(t.Context(), planOf(worker(t)))
	if err != nil {
		t.Fatal(err)
	}
	got := rendering.Payload
	data := got.Data.Reveal()
	if got.Format != delivery.FormatBottlerocket || got.SecretFormat != delivery.SecretFormatNone ||
		got.FileExtension != ".toml" || data[len(data)-1] != '\n' {
		t.Errorf("payload %+v", got)
	}
}

func TestNativeLeavesPluginsOutOfIt(t *testing.T) {
	for kind, v := range map[bool]document.Value{true: machine.File{}, false: document.Opaque{Type: "File"}} {
		if got := (bottlerocket.Renderer{}).Native(document.Document{Value: v}, osprofile.Target{}); got != kind {
			t.Errorf("Native(%T) = %v", v, got)
		}
	}
}

func BenchmarkWorker(b *testing.B) {
	r, p := bottlerocket.Renderer{}, planOf(worker(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, findings, err := r.Render(b.Context(), p); err != nil || findings.HasErrors() {
			b.Fatal(err, findings)
		}
	}
}
