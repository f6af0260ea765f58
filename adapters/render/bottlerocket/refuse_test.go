package bottlerocket_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/golden"
)

// refused are documents that Bottlerocket does not support as they are.
func refused(t *testing.T) map[string]document.Value {
	t.Helper()
	serial := true
	registry := func(r machine.Registry) machine.ContainerdConfig {
		return machine.ContainerdConfig{Registries: []machine.Registry{r}}
	}
	kubelet := func(config node.Tree, args ...node.Arg) node.NodeConfig {
		return worker(t, func(n *node.NodeConfig) { n.Kubelet = node.Kubelet{Config: config, Args: args} })
	}
	return map[string]document.Value{
		"file": machine.File{Path: "/etc/a"}, "user": machine.User{Name: "u"}, "group": machine.Group{Name: "g"},
		"unit":     machine.Unit{Name: "a.service"},
		"packages": machine.PackagesConfig{}, "command": machine.Command{}, "disk": machine.Disk{},
		"filesystem": machine.Filesystem{},
		"mount":      machine.Mount{}, "swap": machine.Swap{}, "crio": machine.CRIOConfig{},
		"control plane config": node.ControlPlaneConfig{},
		"talos secrets":        node.TalosSecrets{},
		"init":                 node.NodeConfig{Role: node.RoleInit},
		"control plane":        node.NodeConfig{Role: node.RoleControlPlane},
		"kubeconfig": worker(t,
			func(n *node.NodeConfig) { n.Discovery = &node.Discovery{Kubeconfig: secret.FromString("x")} }),
		"no CA":     worker(t, func(n *node.NodeConfig) { n.Certificates = nil }),
		"bad token": worker(t, func(n *node.NodeConfig) { n.Discovery.Token = secret.FromString("s3cr3t") }),
		"kubeadm": worker(t, func(n *node.NodeConfig) {
			n.Patches, n.SkipPhases, n.Verbosity, n.Timeouts.Discovery = []node.Patch{{Target: "kubeletconfiguration"}},
				[]string{"preflight"}, 5, 60
			n.CertificatesDir, n.Registration.IgnorePreflightErrors = "/etc/pki", []string{"all"}
			n.Registration.ImagePullPolicy, n.Registration.ImagePullSerial, n.Registration.CRISocket = "Always", &serial,
				"unix:///run/crio.sock"
		}),
		"name from a zone": worker(t,
			func(n *node.NodeConfig) { n.Registration.Name = document.FromFact(document.FactZone) }),
		"label from instance": worker(t, func(n *node.NodeConfig) {
			n.Registration.Labels = []node.Label{{Key: "a", Value: document.FromFact(document.FactZone)}}
		}),
		"name with capitals": worker(t, func(n *node.NodeConfig) { n.Registration.Name = document.Text("Node_1") }),
		"services":           worker(t, func(n *node.NodeConfig) { n.Cluster.ServiceSubnets = []string{"all"} }),
		"kubelet fields": kubelet(node.Tree{
			"maxPods": "many", "evictionHard": map[string]any{"disk": "1Gi"}, "readOnlyPort": int64(10255),
			"featureGates":   map[string]any{"A": true},
			"authentication": map[string]any{"anonymous": map[string]any{"enabled": true}}, "eventRecordQPS": 1.5,
			"imageGCHighThresholdPercent": int64(101),
		}),
		"policy option": kubelet(node.Tree{"cpuManagerPolicyOptions": map[string]any{
			"full-pcpus-only": true,
			"distribute-cpus": "false",
		}}),
		"fail swap on":          kubelet(node.Tree{"failSwapOn": "yes"}),
		"static memory manager": kubelet(node.Tree{"memoryManagerPolicy": "Static"}),
		"reserved memory": kubelet(node.Tree{"reservedMemory": []any{
			map[string]any{"numaNode": int64(0), "limits": map[string]any{"memory": "1Gi", "hugepages-2Mi": "10Mi"}},
			map[string]any{"numaNode": float64(0), "limits": map[string]any{"memory": "2Gi"}},
			map[string]any{"numaNode": int64(1), "limits": map[string]any{"memory": "much"}},
			map[string]any{"numaNode": int64(-1), "limits": map[string]any{"memory": "1Gi"}},
			map[string]any{"numaNode": int64(2), "limits": map[string]any{"hugepages-1Gi": "1Gi"}},
			map[string]any{"limits": map[string]any{"memory": "1Gi"}},
		}}),
		"no list of reserved memory": kubelet(node.Tree{"reservedMemory": map[string]any{"memory": "1Gi"}}),
		"kubelet arguments": kubelet(nil, node.Arg{Name: "root-dir", Value: document.Text("/x")},
			node.Arg{Name: "v", Value: document.Text("high")},
			node.Arg{Name: "provider-id", Value: document.FromFact(document.FactInstanceID)}, node.Arg{
				Name:  "cloud-provider",
				Value: document.Text("gce"),
			}),
		"pod with a dot": node.StaticPod{Name: "a.b", Manifest: []byte("kind: Pod")},
		"no pod":         node.StaticPod{Name: "a", Manifest: []byte("kind: Deployment")},
		"two pods":       node.StaticPod{Name: "a", Manifest: []byte("kind: Pod\n---\nkind: Pod\n")},
		"no manifest":    node.StaticPod{Name: "a", Manifest: []byte("\t{")},
		"provision":      machine.KubernetesConfig{Provision: machine.ProvisionPackage},
		"artifacts":      machine.KubernetesConfig{Provision: machine.ProvisionImage, Packages: []string{"kubelet"}},
		"updates":        machine.OSUpdatesConfig{Enabled: true},
		"no daemon":      machine.TimeSyncConfig{Enabled: new(false)},
		"other daemon":   machine.TimeSyncConfig{Daemon: machine.TimeDaemonNTPD, Servers: []string{"a"}},
		"module options": machine.KernelModulesConfig{Modules: []machine.KernelModule{{
			Name:    "a",
			Options: []string{"b=c"},
		}}},
		"module name": machine.KernelModulesConfig{Modules: []machine.KernelModule{{Name: strings.Repeat("m", 57)}}},
		"sysctl glob": machine.SysctlConfig{Settings: []machine.Sysctl{
			{Name: "net.*.a", Value: "1"},
			{Name: "a..b", Value: "1"},
		}},
		"sysctl dot in a part": machine.SysctlConfig{Settings: []machine.Sysctl{
			{Name: "net.ipv4.conf.eth0/100.rp_filter", Value: "1"},
			{Name: "-net/ipv4/conf/eth0.100/rp_filter", Value: "1"},
		}},
		"sysctl quote": machine.SysctlConfig{Settings: []machine.Sysctl{
			{Name: "a.b", Value: `"`},
			{Name: "a.c", Value: `\`},
			{Name: "a.d", Value: "1\n2"},
		}},
		"proxy for http": machine.ProxyConfig{HTTPProxy: secret.FromString("http://a:1")},
		"both proxies": machine.ProxyConfig{
			HTTPProxy:  secret.FromString("http://a:1"),
			HTTPSProxy: secret.FromString("http://a:1"),
		},
		"other proxies": machine.ProxyConfig{
			HTTPProxy:  secret.FromString("http://a:1"),
			HTTPSProxy: secret.FromString("http://b:1"),
		},
		"host": machine.HostConfig{
			Hostname: "Node", RandomHostname: true, TimeZone: "Europe/Berlin",
			Locale: "de-DE", UILanguage: "de-DE", Keyboard: "de-DE",
		},
		"proxy marks": machine.ProxyConfig{
			HTTPSProxy: secret.FromString("http://u:s3cr3t=@a:1"),
			NoProxy:    []string{"a b"},
		},
		"certificate name": machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a.b", PEM: certificate(t)}}},
		"no certificate":   machine.TrustedCAsConfig{CAs: []machine.TrustedCA{{Name: "a", PEM: []byte("x")}}},
		"containerd": machine.ContainerdConfig{
			Version: 3, CgroupDriver: machine.CgroupDriverCgroupfs,
			RawTOML: "a=1", DefaultRuntime: "runc", SandboxImage: "pause", Proxy: &machine.ProxyConfig{},
			Runtimes: []machine.Runtime{{Name: "kata"}},
		},
		"registry TLS":     registry(machine.Registry{Host: "a", TLS: &machine.RegistryTLS{InsecureSkipVerify: true}}),
		"registry server":  registry(machine.Registry{Host: "a", Server: "https://b"}),
		"default registry": registry(machine.Registry{Host: "_default", Server: "https://b"}),
		"order of mirrors": registry(machine.Registry{
			Host: "a", Mirrors: []machine.RegistryEndpoint{{URL: "https://c"}, {URL: "https://b"}},
		}),
		"order of mirror and server": registry(machine.Registry{
			Host: "a", Server: "https://b", Mirrors: []machine.RegistryEndpoint{{URL: "https://c"}},
		}),
		"mirror": registry(machine.Registry{
			Host: "a",
			Mirrors: []machine.RegistryEndpoint{{
				URL: "https://b", Header: map[string]string{"X": "y"},
				Capabilities: []string{"pull"}, TLS: &machine.RegistryTLS{},
			}},
		}),
		"mirror marks": registry(machine.Registry{
			Host:    "a",
			Mirrors: []machine.RegistryEndpoint{{URL: "https://b/?x=1"}},
		}),
		"registry password": registry(machine.Registry{Host: "a", Auth: &machine.RegistryAuth{
			Username: "u",
			Password: secret.FromString(`s3cr3t"`),
		}}),
		"different passwords": machine.ContainerdConfig{Registries: []machine.Registry{{
			Host: "docker.io",
			Auth: &machine.RegistryAuth{Username: "u"},
		}, {Host: "registry-1.docker.io", Auth: &machine.RegistryAuth{Username: "v"}}}},
	}
}

// TestRefusals compares the findings with goldens: each names a field and a remedy.
func TestRefusals(t *testing.T) {
	goldens := golden.Open(t, "testdata/refused")
	for name, v := range refused(t) {
		t.Run(name, func(t *testing.T) {
			lines := errorsOf(t, planOf(v))
			text := ""
			for _, l := range lines {
				text += l + "\n"
			}
			if text == "" {
				t.Error("nothing is refused or warned of")
			}
			goldens.Compare(t, name+".txt", []byte(text))
			_, found, err := (bottlerocket.Renderer{}).Render(t.Context(), planOf(v))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if f.Severity == report.Error && f.Remedy == "" {
					t.Errorf("no remedy: %s", f)
				}
			}
		})
	}
}

func TestStepsAreRefused(t *testing.T) {
	p := planOf(document.Opaque{Type: "Extra"})
	p.Steps = []plan.Step{{Phase: document.PhaseFile, Do: action.WriteFile{File: machine.File{Path: "/etc/a"}}}}
	want := []string{"error: Extra: Bottlerocket cannot write /etc/a; leave it out, or use a bootstrap container, which " +
		"a snippet names in bootstrap-containers"}
	if diff := cmp.Diff(want, errorsOf(t, p)); diff != "" {
		t.Error(diff)
	}
	if _, _, err := (bottlerocket.Renderer{}).Render(t.Context(), p); err != nil {
		t.Error(err)
	}
}
