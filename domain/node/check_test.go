package node_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

const pin = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func discovery() *node.Discovery {
	return &node.Discovery{Token: secret.FromString("abcdef.canary7q9zk2xw5v"), CACertHashes: []string{pin}}
}

// config returns a configuration of the role that is right, changed by what the case is about.
func config(role node.Role, changes ...func(*node.NodeConfig)) node.NodeConfig {
	c := node.NodeConfig{Role: role, KubernetesVersion: "v1.36.3", Cluster: node.Cluster{
		Name:     "c",
		Endpoint: "api.example:6443",
	}}
	if role != node.RoleInit {
		c.Discovery = discovery()
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

func errorPaths(r report.Report) string {
	var paths []string
	for _, f := range r {
		p := strings.TrimPrefix(strings.TrimPrefix(string(f.Path), "at"), ".")
		if p == "" {
			p = "."
		}
		if f.Severity == report.Error && (len(paths) == 0 || paths[len(paths)-1] != p) {
			paths = append(paths, p)
		}
	}
	return strings.Join(paths, " ")
}

type verdict struct {
	reason string
	value  document.Value
	want   string // the paths of the error findings
}

func hold(t *testing.T, cases map[string]verdict) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := tc.value.Check("at")
			if got := errorPaths(r); got != tc.want {
				t.Errorf("refused at %q, want %q: %s\n%s", got, tc.want, tc.reason, r)
			}
		})
	}
}

func with(role node.Role, change func(*node.NodeConfig)) document.Value { return config(role, change) }

func TestNodeCheck(t *testing.T) {
	version := func(v string) document.Value {
		return with(node.RoleWorker, func(c *node.NodeConfig) { c.KubernetesVersion = v })
	}
	hold(t, map[string]verdict{
		"init":          {value: config(node.RoleInit)},
		"control plane": {value: config(node.RoleControlPlane)},
		"worker":        {value: config(node.RoleWorker)},
		"role":          {value: config("Boss"), want: "role"},
		"pre-release":   {value: version("v1.37.0-rc.1+build.5")},
		"no v":          {value: version("1.36.3"), want: "kubernetesVersion"},
		"short":         {value: version("v1.36"), want: "kubernetesVersion"},
		"line feed":     {value: version("v1.36.3\n"), want: "kubernetesVersion"},
		"leading zero":  {value: version("v1.036.3"), want: "kubernetesVersion"},
		"verbosity":     {value: with(node.RoleInit, func(c *node.NodeConfig) { c.Verbosity = 11 }), want: "verbosity"},
		"timeout": {
			value: with(node.RoleInit, func(c *node.NodeConfig) { c.Timeouts.Discovery = -1 }),
			want:  "timeouts.discoverySeconds",
		},
		"phases": {value: with(node.RoleInit, func(c *node.NodeConfig) {
			c.SkipPhases = []string{
				"addon/kube-proxy",
				"a b", "",
			}
		}), want: "skipPhases[1] skipPhases[2]"},
		"kubelet kind": {value: with(node.RoleWorker, func(c *node.NodeConfig) {
			c.Kubelet.Config = node.Tree{
				"kind":    "x",
				"maxPods": 5,
			}
		}), want: "kubelet.config.kind"},
		"kubelet argument": {value: with(node.RoleWorker, func(c *node.NodeConfig) {
			c.Kubelet.Args = []node.Arg{
				{Name: "v"},
				{Name: "--v"},
				{Name: "a=b"},
			}
		}), want: "kubelet.extraArgs[1].name kubelet.extraArgs[2].name"},
		"any value": {value: with(node.RoleWorker,
			func(c *node.NodeConfig) { c.Kubelet.Args = []node.Arg{{Name: "x", Value: document.Text("'\"\n{{$")}} })},
	})
}

func TestClusterCheck(t *testing.T) {
	cluster := func(c node.Cluster) document.Value {
		return with(node.RoleInit, func(n *node.NodeConfig) { n.Cluster = c })
	}
	hold(t, map[string]verdict{
		"subnets": {value: cluster(node.Cluster{
			PodSubnets:     []string{"10.0.0.0/8", "fd00::/48"},
			ServiceSubnets: []string{"10.96.0.0/12"}, DNSDomain: "cluster.local",
		})},
		"no subnet": {
			value: cluster(node.Cluster{PodSubnets: []string{"10.0.0.0"}, ServiceSubnets: []string{"a\nb"}}),
			want:  "cluster.podSubnets[0] cluster.serviceSubnets[0]",
		},
		"domain":       {value: cluster(node.Cluster{DNSDomain: "Cluster local"}), want: "cluster.dnsDomain"},
		"IPv6":         {value: cluster(node.Cluster{Endpoint: "[2001:db8::1]:6443"})},
		"capitals":     {value: cluster(node.Cluster{Endpoint: "API.example:6443"})},
		"no port":      {value: cluster(node.Cluster{Endpoint: "api.example"}), want: "cluster.endpoint"},
		"port 0":       {value: cluster(node.Cluster{Endpoint: "api.example:0"}), want: "cluster.endpoint"},
		"port name":    {value: cluster(node.Cluster{Endpoint: "api.example:https"}), want: "cluster.endpoint"},
		"no host":      {value: cluster(node.Cluster{Endpoint: ":6443"}), want: "cluster.endpoint"},
		"hostile host": {value: cluster(node.Cluster{Endpoint: "a'b\";$(id):6443"}), want: "cluster.endpoint"},
		"URL":          {value: cluster(node.Cluster{Endpoint: "https://api:6443"}), want: "cluster.endpoint"},
		"no endpoint":  {reason: "kubeadm uses the machine's own address", value: cluster(node.Cluster{})},
		"unknown host": {
			value: cluster(node.Cluster{Endpoint: strings.Repeat("a.", 127) + "a:1"}),
			want:  "cluster.endpoint",
		},
	})
}

func TestDiscoveryCheck(t *testing.T) {
	by := func(change func(*node.Discovery)) document.Value {
		return with(node.RoleWorker, func(c *node.NodeConfig) { change(c.Discovery) })
	}
	file := secret.FromString("apiVersion: v1\nkind: Config\n")
	hold(t, map[string]verdict{
		"none": {value: with(node.RoleWorker, func(c *node.NodeConfig) { c.Discovery = nil }), want: "discovery"},
		"of an init": {
			value: with(node.RoleInit, func(c *node.NodeConfig) { c.Discovery = discovery() }),
			want:  "discovery",
		},
		"token": {
			value: by(func(d *node.Discovery) { d.Token = secret.FromString("ABCDEF.canary7q9zk2xw5v") }),
			want:  "discovery.token",
		},
		"token, line": {
			value: by(func(d *node.Discovery) { d.Token = secret.FromString("abcdef.canary7q9zk2xw5v\n") }),
			want:  "discovery.token",
		},
		"no pin": {
			reason: "any API server would be trusted",
			value:  by(func(d *node.Discovery) { d.CACertHashes = nil }), want: "discovery.caCertHashes",
		},
		"short pin": {
			value: by(func(d *node.Discovery) { d.CACertHashes = []string{pin, "sha256:00"} }),
			want:  "discovery.caCertHashes[1]",
		},
		"endpoint": {
			value: by(func(d *node.Discovery) { d.APIServerEndpoint = "x" }),
			want:  "discovery.apiServerEndpoint",
		},
		"no endpoint": {
			value: with(node.RoleWorker, func(c *node.NodeConfig) { c.Cluster.Endpoint = "" }),
			want:  "discovery.apiServerEndpoint",
		},
		"own endpoint": {value: with(node.RoleWorker, func(c *node.NodeConfig) {
			c.Cluster.Endpoint,
				c.Discovery.APIServerEndpoint = "", "192.0.2.1:6443"
		})},
		"no pin, unsafe": {
			reason: "a warning", value: by(func(d *node.Discovery) { d.CACertHashes, d.UnsafeSkipCAVerification = nil, true }),
		},
		"pins and unsafe": {
			value: by(func(d *node.Discovery) { d.UnsafeSkipCAVerification = true }), want: "discovery.unsafeSkipCAVerification",
		},
		"path of the CA": {value: by(func(d *node.Discovery) { d.CACertPath = "/etc/ca.crt" })},
		"relative CA":    {value: by(func(d *node.Discovery) { d.CACertPath = "ca.crt" }), want: "discovery.caCertPath"},
		"file of the machine": {
			value: by(func(d *node.Discovery) { *d = node.Discovery{KubeconfigPath: "/etc/discovery.conf"} }),
		},
		"relative file": {
			value: by(func(d *node.Discovery) { *d = node.Discovery{KubeconfigPath: "a"} }), want: "discovery.kubeconfigPath",
		},
		"two files": {
			value: by(func(d *node.Discovery) { *d = node.Discovery{Kubeconfig: file, KubeconfigPath: "/a"} }),
			want:  "discovery.kubeconfigPath",
		},
		"file, kubelet's token": {value: by(func(d *node.Discovery) {
			*d = node.Discovery{Kubeconfig: file, TLSBootstrapToken: secret.FromString("ABCDEF.canary7q9zk2xw5v")}
		}), want: "discovery.tlsBootstrapToken"},
		"kubelet's token without a file": {
			value: by(func(d *node.Discovery) { d.TLSBootstrapToken = d.Token }), want: "discovery.tlsBootstrapToken",
		},
		"file":        {value: by(func(d *node.Discovery) { *d = node.Discovery{Kubeconfig: file} })},
		"file, token": {value: by(func(d *node.Discovery) { d.Kubeconfig = file }), want: "discovery"},
		"nothing of it": {
			value: by(func(d *node.Discovery) { *d = node.Discovery{} }),
			want:  "discovery.token discovery.caCertHashes",
		},
	})
	leaky := with(node.RoleWorker, func(c *node.NodeConfig) { c.Discovery.Token = secret.FromString("canary7q9zk2xw5v") })
	if r := leaky.Check("at"); !r.HasErrors() || strings.Contains(r.String(), "canary7q9zk2xw5v") {
		t.Errorf("a finding repeats the token: %s", r)
	}
}

func TestRegistrationCheck(t *testing.T) {
	label := func(key, value string) document.Value {
		return with(node.RoleWorker, func(c *node.NodeConfig) {
			c.Registration.Labels = []node.Label{{
				Key:   key,
				Value: document.Text(value),
			}}
		})
	}
	taint := func(t ...node.Taint) document.Value {
		return with(node.RoleWorker, func(c *node.NodeConfig) { c.Registration.Taints, c.Registration.TaintsSet = t, true })
	}
	name := func(content document.Content) document.Value {
		return with(node.RoleWorker, func(c *node.NodeConfig) { c.Registration.Name = content })
	}
	hold(t, map[string]verdict{
		"name": {value: name(document.Text("node-1.example"))},
		"name of a fact": {
			reason: "only the machine knows",
			value:  name(document.Join(document.Text("N "), document.FromFact(document.FactHostname))),
		},
		"capitals":        {value: name(document.Text("Node")), want: "registration.name"},
		"name, line feed": {value: name(document.Text("node\n")), want: "registration.name"},
		"name, template":  {value: name(document.Text("{{ ds.meta_data.local_hostname }}")), want: "registration.name"},
		"label":           {value: label("example.org/role", "a_B.c-1")},
		"empty value":     {value: label("role", "")},
		"zone":            {value: label("topology.kubernetes.io/zone", "a")},
		"node prefix":     {value: label("sub.node.kubernetes.io/x", "a")},
		"restricted": {
			reason: "kubelet does not start with it", value: label("node-role.kubernetes.io/worker", ""),
			want: "registration.labels[0]",
		},
		"restricted, k8s":   {value: label("k8s.io/x", ""), want: "registration.labels[0]"},
		"not kubernetes.io": {value: label("notkubernetes.io/x", "")},
		"bad key":           {value: label("a b", "x"), want: "registration.labels[0]"},
		"bad value":         {value: label("a", "x,y=z"), want: "registration.labels[0]"},
		"fact": {
			reason: "only the machine knows the whole value",
			value: with(node.RoleWorker, func(c *node.NodeConfig) {
				c.Registration.Labels = []node.Label{{Key: "a", Value: document.Join(document.Text("z-"),
					document.FromFact(document.FactZone))}}
			}),
		},
		"fact, bad text": {
			value: with(node.RoleWorker, func(c *node.NodeConfig) {
				c.Registration.Labels = []node.Label{{Key: "a", Value: document.Join(document.Text("z,b="),
					document.FromFact(document.FactZone))}}
			}), want: "registration.labels[0]",
		},
		"long prefix": {value: label(strings.Repeat("a.", 127)+"a/x", ""), want: "registration.labels[0]"},
		"label twice": {
			value: with(node.RoleWorker, func(c *node.NodeConfig) {
				c.Registration.Labels = []node.Label{
					{Key: "a"},
					{Key: "a"},
				}
			}), want: "registration.labels[1]",
		},
		"taint": {value: taint(node.Taint{Key: "a/b", Value: "c", Effect: "NoSchedule"},
			node.Taint{Key: "a/b", Effect: "NoExecute"})},
		"taint, effect": {value: taint(node.Taint{Key: "a", Effect: "Never"}), want: "registration.taints[0].effect"},
		"taint, fields": {
			value: taint(node.Taint{Key: "", Value: "a b", Effect: "NoSchedule"}),
			want:  "registration.taints[0].key registration.taints[0].value",
		},
		"taint twice": {value: taint(node.Taint{Key: "a", Effect: "NoSchedule"}, node.Taint{
			Key: "a", Value: "b",
			Effect: "NoSchedule",
		}), want: "registration.taints[1]"},
		"socket": {value: with(node.RoleWorker,
			func(c *node.NodeConfig) { c.Registration.CRISocket = "unix:///run/crio/crio.sock" })},
		"socket, path": {
			value: with(node.RoleWorker, func(c *node.NodeConfig) { c.Registration.CRISocket = "/run/x" }),
			want:  "registration.criSocket",
		},
		"socket, blank": {
			value: with(node.RoleWorker, func(c *node.NodeConfig) { c.Registration.CRISocket = "unix:///a b" }),
			want:  "registration.criSocket",
		},
		"pull policy": {
			value: with(node.RoleWorker, func(c *node.NodeConfig) { c.Registration.ImagePullPolicy = "Often" }),
			want:  "registration.imagePullPolicy",
		},
		"ignored checks": {value: with(node.RoleWorker, func(c *node.NodeConfig) {
			c.Registration.IgnorePreflightErrors = []string{"Swap", "FileContent--proc-sys", "a,b"}
		}), want: "registration.ignorePreflightErrors[2]"},
	})
}

// A worker has no control plane: what is for one is refused, and above all it gets no private key.
func TestWorkerGetsNothingOfTheControlPlane(t *testing.T) {
	patch := func(role node.Role, target string) document.Value {
		return with(role, func(c *node.NodeConfig) {
			c.Patches = []node.Patch{{Target: target, Type: "merge", Content: []byte("{}")}}
		})
	}
	key := func(role node.Role) document.Value {
		return with(role, func(c *node.NodeConfig) {
			c.Certificates = []node.CertificateFile{{Path: "ca.crt"}, {Path: "ca.key", Private: true}}
		})
	}
	hold(t, map[string]verdict{
		"kubelet patch":       {value: patch(node.RoleWorker, "kubeletconfiguration")},
		"API server patch":    {value: patch(node.RoleWorker, "kube-apiserver"), want: "patches[0].target"},
		"etcd patch":          {value: patch(node.RoleWorker, "etcd"), want: "patches[0].target"},
		"etcd patch, control": {value: patch(node.RoleControlPlane, "etcd")},
		"unknown patch":       {value: patch(node.RoleInit, "kube-proxy"), want: "patches[0].target"},
		"empty patch": {
			value: with(node.RoleInit,
				func(c *node.NodeConfig) { c.Patches = []node.Patch{{Target: "etcd", Type: "diff"}} }),
			want: "patches[0].type patches[0].content",
		},
		"key":                {value: key(node.RoleWorker), want: "certificates[1]"},
		"key, control plane": {value: key(node.RoleControlPlane)},
		"advertised address": {value: with(node.RoleWorker,
			func(c *node.NodeConfig) { c.AdvertiseAddress = document.Text("192.0.2.1") }), want: "."},
		"bind port": {value: with(node.RoleWorker, func(c *node.NodeConfig) { c.BindPort = 6443 }), want: "."},
		"bind port, control": {value: with(node.RoleInit, func(c *node.NodeConfig) {
			c.BindPort,
				c.AdvertiseAddress = 6443, document.Text("fd00::1")
		})},
		"bind port, out of range": {
			value: with(node.RoleInit, func(c *node.NodeConfig) { c.BindPort = 65536 }),
			want:  "bindPort",
		},
		"address of a fact": {value: with(node.RoleInit,
			func(c *node.NodeConfig) { c.AdvertiseAddress = document.FromFact(document.FactPrivateIPv4) })},
		"address, name": {value: with(node.RoleInit,
			func(c *node.NodeConfig) { c.AdvertiseAddress = document.Text("api.example") }), want: "advertiseAddress"},
	})
}

func TestCertificateFilesStayInTheirDirectory(t *testing.T) {
	file := func(path string) document.Value {
		return with(node.RoleInit, func(c *node.NodeConfig) { c.Certificates = []node.CertificateFile{{Path: path}} })
	}
	hold(t, map[string]verdict{
		"below":    {value: file("etcd/ca.key")},
		"empty":    {value: file(""), want: "certificates[0].path"},
		"absolute": {value: file("/etc/shadow"), want: "certificates[0].path"},
		"above":    {value: file("../admin.conf"), want: "certificates[0].path"},
		"unclean":  {value: file("etcd/../../x"), want: "certificates[0].path"},
		"directory": {
			value: with(node.RoleInit, func(c *node.NodeConfig) { c.CertificatesDir = "pki/" }),
			want:  "certificatesDir",
		},
		"twice": {
			value: with(node.RoleInit,
				func(c *node.NodeConfig) { c.Certificates = []node.CertificateFile{{Path: "a"}, {Path: "a"}} }),
			want: "certificates[1].path",
		},
	})
}

func TestStaticPodCheck(t *testing.T) {
	hold(t, map[string]verdict{
		"pod":       {value: node.StaticPod{Name: "kube-vip", Manifest: []byte("kind: Pod")}},
		"path":      {value: node.StaticPod{Name: "../x", Manifest: []byte("x")}, want: "name"},
		"kubeadm's": {value: node.StaticPod{Name: "etcd", Manifest: []byte("x")}, want: "name"},
		"empty":     {value: node.StaticPod{Name: "a"}, want: "manifest"},
	})
}
