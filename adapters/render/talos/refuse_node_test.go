package talos_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestRefusedNodes(t *testing.T) {
	kubelet := func(k node.Kubelet) []document.Value { return nodeWith(func(n *node.NodeConfig) { n.Kubelet = k }) }
	arg := func(name, value string) node.Arg { return node.Arg{Name: name, Value: document.Text(value)} }
	serial := true
	compare(t, "node", map[string]refusal{
		"no node":  {reason: "every machine is one", values: []document.Value{machine.ProxyConfig{}}},
		"endpoint": {reason: "it is needed", values: nodeWith(func(n *node.NodeConfig) { n.Cluster.Endpoint = "" })},
		"two": {
			reason: "one endpoint",
			values: with2(func(n *node.NodeConfig) { n.Discovery.APIServerEndpoint = "other:6443" }),
		},
		"kubeconfig": {reason: "by token", values: with2(func(n *node.NodeConfig) {
			n.Discovery = &node.Discovery{Kubeconfig: secret.FromString("secret-canary")}
		})},
		"no CA": {reason: "a pin is not enough", values: with2(func(n *node.NodeConfig) { n.Certificates = nil })},
		"other files": {reason: "no place", values: with2(func(n *node.NodeConfig) {
			n.Certificates = append(n.Certificates,
				node.CertificateFile{Path: "x.crt"})
		})},
		"half pairs": {
			reason: "keys are needed",
			values: nodeWith(func(n *node.NodeConfig) { n.Certificates = n.Certificates[:1] }),
		},
		"too new": {
			reason: "1.13 runs up to 1.36", release: "1.13.0",
			values: with2(func(n *node.NodeConfig) { n.KubernetesVersion = "v1.37.0" }),
		},
		"too old": {
			reason: "1.12 runs 1.30 and newer", release: "1.12.1",
			values: with2(func(n *node.NodeConfig) { n.KubernetesVersion = "v1.29.9" }),
		},
		"fact": {
			reason: "nothing is filled in",
			values: nodeWith(func(n *node.NodeConfig) { n.Registration.Name = document.FromFact(document.FactInstanceID) }),
		},
		"long name": {
			reason: "a label of DNS",
			values: nodeWith(func(n *node.NodeConfig) { n.Registration.Name = document.Text(strings.Repeat("a", 64)) }),
		},
		"address": {
			reason: "nothing is filled in",
			values: nodeWith(func(n *node.NodeConfig) { n.AdvertiseAddress = document.FromFact(document.FactPrivateIPv4) }),
		},
		"kubeadm": {reason: "there is none", values: nodeWith(func(n *node.NodeConfig) {
			n.Patches, n.SkipPhases, n.Verbosity = []node.Patch{{Target: "etcd"}}, []string{"addon/kube-proxy"}, 5
			n.Timeouts.Discovery, n.CertificatesDir = 5, "/etc/kubernetes/certs"
		})},
		"registration": {reason: "kubeadm's", values: nodeWith(func(n *node.NodeConfig) {
			n.Registration = node.Registration{
				CRISocket: "unix:///run/crio.sock", IgnorePreflightErrors: []string{"all"},
				ImagePullPolicy: "Always", ImagePullSerial: &serial,
			}
		})},
		"protected": {
			reason: "Talos's own",
			values: kubelet(node.Kubelet{Config: node.Tree{
				"authentication": map[string]any{}, "staticPodPath": "/x",
				"resolvConf": "secret-canary",
			}}),
		},
		"two taints": {reason: "set twice", values: nodeWith(func(n *node.NodeConfig) {
			n.Registration.Taints = []node.Taint{{Key: "a", Effect: "NoSchedule"}}
			n.Kubelet.Config = node.Tree{"registerWithTaints": []any{}}
		})},
		"arguments": {reason: "Talos's own, or twice, or nothing", values: kubelet(node.Kubelet{Args: []node.Arg{
			arg("config", "/x"), arg("v", "1"), arg("v", "2"), arg("empty", ""), arg("nul", "a\x00"), arg("latin", "\xe4"),
			{Name: "fact", Value: document.FromFact(document.FactZone)},
		}})},
		"label": {reason: "Talos has no facts", values: nodeWith(func(n *node.NodeConfig) {
			n.Registration.Labels = []node.Label{{Key: "a", Value: document.FromFact(document.FactZone)}}
		})},
		"set twice": {reason: "a field and an argument", values: nodeWith(func(n *node.NodeConfig) {
			n.AdvertiseAddress = document.Text("192.0.2.1")
			n.Registration.Labels, n.Registration.Taints = []node.Label{{Key: "a"}},
				[]node.Taint{{Key: "a", Effect: "NoSchedule"}}
			n.Kubelet.Args = []node.Arg{
				arg("hostname-override", "x"), arg("register-with-taints", "x"), arg("node-labels", "x"),
				arg("node-ip", "x"),
			}
		})},
		"tree": {reason: "no JSON", values: kubelet(node.Kubelet{Config: node.Tree{"a": func() {}}})},
		"pod": {reason: "not a pod", values: with(node.StaticPod{Name: "a", Manifest: []byte(
			"apiVersion: v1\nkind: Service\n")})},
		"nameless": {reason: "no name", values: with(node.StaticPod{Name: "a", Manifest: []byte(
			"apiVersion: v1\nkind: Pod\n")})},
		"two pods": {reason: "one a document", values: with(node.StaticPod{
			Name:     "a",
			Manifest: []byte("kind: Pod\n---\nkind: Pod\n"),
		})},
		"no YAML": {reason: "it cannot be read", values: with(node.StaticPod{
			Name:     "a",
			Manifest: []byte("secret-canary: ["),
		})},
		"list":  {reason: "no mapping", values: with(node.StaticPod{Name: "a", Manifest: []byte("- a\n")})},
		"steps": {reason: "nothing runs", values: with(), steps: allOperations()},
	})
}

func with2(change func(*node.NodeConfig)) []document.Value { return []document.Value{worker(change)} }

// allOperations are those that Talos does not carry out.
func allOperations() []action.Operation {
	return []action.Operation{
		action.EnsureUser{},
		action.EnsureGroup{},
		action.EnsureUnit{},
		action.InstallPackages{},
		action.RunCommand{},
		action.PartitionDisk{},
		action.MakeFilesystem{},
		action.MountFilesystem{},
		action.EnableSwap{},
		action.MakeDirectory{},
		action.Link{},
		action.FetchFile{},
		action.WriteFile{File: machine.File{Path: "/etc/x"}},
		action.ConfigureHost{},
		action.JoinDomain{},
	}
}

func TestRefusedControlPlanes(t *testing.T) {
	api := func(change func(*node.APIServer)) []document.Value {
		return plane(func(c *node.ControlPlaneConfig) { change(&c.APIServer) })
	}
	etcd := func(e node.LocalEtcd) []document.Value {
		return plane(func(c *node.ControlPlaneConfig) { c.LocalEtcd = &e })
	}
	encryption := func(text string) []document.Value {
		return api(func(a *node.APIServer) {
			a.EncryptionAtRest = secret.FromString("apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n" +
				text)
		})
	}
	arg := func(name string) []node.Arg { return []node.Arg{{Name: name, Value: document.Text("x")}} }
	compare(t, "control-plane", map[string]refusal{
		"worker":        {reason: "it has no control plane", values: with(node.ControlPlaneConfig{})},
		"own arguments": {reason: "Talos's own", values: api(func(a *node.APIServer) { a.Args = arg("etcd-servers") })},
		"manager": {
			reason: "Talos's own",
			values: plane(func(c *node.ControlPlaneConfig) { c.ControllerManager.Args = arg("root-ca-file") }),
		},
		"scheduler": {
			reason: "Talos's own",
			values: plane(func(c *node.ControlPlaneConfig) { c.Scheduler.Args = arg("config") }),
		},
		"volume": {reason: "no look", values: api(func(a *node.APIServer) {
			a.Volumes = []node.Volume{{HostPath: "/a", MountPath: "/b", PathType: "DirectoryOrCreate"}}
		})},
		"log": {
			reason: "one place",
			values: api(func(a *node.APIServer) { a.Audit = &node.Audit{Policy: []byte(auditPolicy), LogPath: "/var/log/x"} }),
		},
		"policy": {
			reason: "no policy",
			values: api(func(a *node.APIServer) { a.Audit = &node.Audit{Policy: []byte("kind: x")} }),
		},
		"limits": {reason: "set twice", values: api(func(a *node.APIServer) {
			a.Args = arg("audit-log-maxage")
			a.Audit = &node.Audit{Policy: []byte(auditPolicy), MaxAgeDays: 1}
		})},
		"webhook": {
			reason: "no place for a secret",
			values: api(func(a *node.APIServer) { a.AuthenticationWebhook = secret.FromString("secret-canary") }),
		},
		"authentication": {reason: "no manifest, or set twice", values: api(func(a *node.APIServer) {
			a.Args, a.Authentication = arg("authentication-config"), []byte(authentication)
		})},
		"anonymous": {reason: "Talos's flag", values: api(func(a *node.APIServer) {
			a.Authentication = []byte(authentication + "anonymous: {enabled: false}\n")
		})},
		"authorization": {reason: "unknown field", values: api(func(a *node.APIServer) {
			a.Authorization = []byte("kind: AuthorizationConfiguration\nauthorizers:\n- {type: Webhook, name: [], other: 1}\n")
		})},
		"admission": {reason: "no file", values: api(func(a *node.APIServer) {
			a.Admission = []byte("kind: AdmissionConfiguration\nplugins:\n- {name: A, path: /x}\n- 1\n")
		})},
		"ConfigMaps": {reason: "Secrets alone", values: encryption("resources:\n- resources: [secrets, configmaps]\n  " +
			"providers:\n  - secretbox: {keys: [{name: key2, secret: secret-canary}]}\n")},
		"key name": {
			reason: "the name is a prefix of the data",
			values: encryption("resources:\n- resources: [secrets]\n  providers:\n  - aescbc: {keys: [{name: key2, " +
				"secret: secret-canary}]}\n"),
		},
		"KMS": {reason: "no plug-in", values: encryption(
			"resources:\n- resources: [secrets]\n  providers:\n  - kms: {}\n")},
		"two keys": {reason: "one", values: encryption("resources:\n- resources: [secrets]\n  providers:\n  - secretbox: " +
			"{keys: [{name: key2}, {name: key3}]}\n  - aescbc: {}\n")},
		"plain": {reason: "nothing would be encrypted", values: encryption("resources: []\n")},
		"etcd": {reason: "Talos's own", values: etcd(node.LocalEtcd{
			DataDir: "/data", Args: arg("data-dir"), Env: []node.Env{{Name: "A"}}, ServerCertSANs: []string{"a"},
			PeerCertSANs: []string{"a"},
		})},
		"external": {
			reason: "Talos runs it",
			values: plane(func(c *node.ControlPlaneConfig) { c.ExternalEtcd = &node.ExternalEtcd{} }),
		},
		"kube-proxy": {reason: "the mode alone", values: plane(func(c *node.ControlPlaneConfig) {
			c.KubeProxyConfig = node.Tree{"mode": 1, "conntrack": map[string]any{}}
		})},
		"certificates": {reason: "Talos's own", values: plane(func(c *node.ControlPlaneConfig) {
			c.Certificates = node.Certificates{ValidityDays: 1, Algorithm: node.RSA4096}
		})},
		"gates": {
			reason: "kubeadm's",
			values: plane(func(c *node.ControlPlaneConfig) { c.FeatureGates = []node.FeatureGate{{Name: "A"}} }),
		},
		"tokens": {
			reason: "those of the secrets bundle",
			values: plane(func(c *node.ControlPlaneConfig) {
				c.BootstrapTokens = []node.InitToken{{Token: secret.FromString("abcdef.canary7q9zk2xw5v")}}
			}),
		},
	})
}

func TestRefusedVersions(t *testing.T) {
	for _, requested := range []string{"1.8", "1.14.0", "2.0", "x", "1"} {
		to := target(t, "")
		to.FormatVersion = requested
		_, findings := render(t, planOf(t, to, worker()))
		want := fmt.Sprintf("error: spec.formatOptions.version: no configuration is written for Talos %q; use a "+
			"version from 1.9 to 1.13", requested)
		if findings.String() != want {
			t.Errorf("%s: %s", requested, findings)
		}
	}
}

// A release that the library does not know yet gets the newest configuration. Its versions of Kubernetes are in the
// profile, or not known.
func TestNewerReleases(t *testing.T) {
	version := func(v string) node.NodeConfig { return worker(func(n *node.NodeConfig) { n.KubernetesVersion = v }) }
	for release, newer := range map[string]string{"1.14.2": "v1.37.1", "1.15.0": "v1.38.0"} {
		if _, findings := render(t, planOf(t, target(t, release), version(newer))); findings.HasErrors() {
			t.Error(findings)
		}
	}
	if _, findings := render(t, planOf(t, target(t, "1.14.2"), version("v1.30.0"))); !findings.HasErrors() {
		t.Error("Talos 1.14 took Kubernetes 1.30")
	}
	if _, findings := render(t, planOf(t, osprofile.Target{Release: "no release"}, worker())); !findings.HasErrors() {
		t.Error("a release that is none was taken")
	}
}
