package kubeadm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/golden"
)

const (
	nodeAt  report.Path = "spec.node"
	planeAt report.Path = "spec.controlPlane"
)

// expand expands the node and, if there is one, the control plane, as one plan would.
func expand(t *testing.T, n node.NodeConfig, p *node.ControlPlaneConfig, target osprofile.Target) ([]action.Action,
	report.Report,
) {
	t.Helper()
	docs := []document.Document{{Value: n, Source: document.Source{Path: nodeAt}}}
	if p != nil {
		docs = append(docs, document.Document{Value: *p, Source: document.Source{Path: planeAt}})
	}
	var actions []action.Action
	var found report.Report
	for _, d := range docs {
		created, r, err := kubeadm.Expander{}.Expand(t.Context(), ports.Expansion{Document: d, Others: docs, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		actions, found = append(actions, created...), append(found, r...)
	}
	return actions, found
}

func worker(version string) node.NodeConfig {
	return node.NodeConfig{
		Role:              node.RoleWorker,
		KubernetesVersion: version,
		Cluster:           node.Cluster{Name: "c1", Endpoint: "10.0.0.1:6443"},
		Discovery: &node.Discovery{
			Token:        secret.FromString("abcdef.canary7q9zk2xw5v"),
			CACertHashes: []string{"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
		},
		Registration: node.Registration{
			Name: document.FromFact(document.FactHostname),
			Labels: []node.Label{
				{Key: "example.com/pool", Value: document.Text("yes")},
				{Key: "topology.kubernetes.io/zone", Value: document.FromFact(document.FactZone)},
				{Key: "zone", Value: document.Text("1e3")},
			},
			Taints: []node.Taint{{Key: "node.cluster.x-k8s.io/uninitialized", Effect: "NoSchedule"}},
		},
		Kubelet: node.Kubelet{
			Args: []node.Arg{{Name: "provider-id", Value: document.Join(document.Text("aws:///"),
				document.FromFact(document.FactInstanceID))}},
		},
	}
}

// rich has every field that both versions of kubeadm's configuration support.
func rich(role node.Role, version string) node.NodeConfig {
	n := worker(version)
	n.Role = role
	if role == node.RoleInit {
		n.Discovery = nil
	}
	n.Cluster.PodSubnets, n.Cluster.ServiceSubnets = []string{"10.244.0.0/16"}, []string{"10.96.0.0/12"}
	n.Cluster.DNSDomain = "cluster.test"
	n.Registration.Taints, n.Registration.TaintsSet = nil, true
	n.Registration.CRISocket = "unix:///run/other.sock"
	n.Registration.IgnorePreflightErrors = []string{"NumCPU", "Mem"}
	n.Registration.ImagePullPolicy = "Never"
	n.Kubelet.Config = node.Tree{
		"maxPods": int64(42), "failSwapOn": false,
		"evictionHard": map[string]any{"memory.available": "5%"},
	}
	n.AdvertiseAddress, n.BindPort = document.FromFact(document.FactPrivateIPv4), 6444
	n.Patches = []node.Patch{
		{Target: "kubeletconfiguration", Type: "merge", Content: []byte("maxPods: 43\n")},
		{Target: "kube-apiserver", Content: []byte("metadata: {annotations: {a: b}}\n")},
		{Target: "etcd", Type: "json", Content: []byte(`[{"op":"add","path":"/metadata/annotations/x","value":"y"}]`)},
	}
	n.Certificates = []node.CertificateFile{
		{Path: "ca.crt", Content: secret.FromString("certificate")},
		{Path: "etcd/ca.key", Content: secret.FromString("key"), Private: true},
	}
	n.CertificatesDir = "/etc/kubernetes/certs"
	n.SkipPhases = []string{"control-plane-join/mark-control-plane"}
	if role.IsControlPlane() {
		n.SkipPhases = append(n.SkipPhases, "mark-control-plane")
	}
	n.Timeouts = node.Timeouts{ControlPlaneComponentHealthCheck: 300, Discovery: 120}
	n.Verbosity = 5
	return n
}

func plane() node.ControlPlaneConfig {
	arg := func(name, value string) node.Arg { return node.Arg{Name: name, Value: document.Text(value)} }
	return node.ControlPlaneConfig{
		APIServer: node.APIServer{
			Component: node.Component{
				Args: []node.Arg{arg("event-ttl", "2h"), arg("service-account-issuer", "https://$(X).example.com/$$")},
				Volumes: []node.Volume{{
					Name: "extra", HostPath: "/etc/extra", MountPath: "/etc/extra", ReadOnly: true,
					PathType: "DirectoryOrCreate",
				}},
			},
			CertSANs: []string{"api.example.com", "10.0.0.9"},
			Audit: &node.Audit{Policy: []byte(
				"apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n")},
			EncryptionAtRest:      secret.FromString("apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n"),
			AuthenticationWebhook: secret.FromString("apiVersion: v1\nkind: Config\n"),
			Admission:             []byte("apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n"),
		},
		ControllerManager: node.Component{Args: []node.Arg{arg("terminated-pod-gc-threshold", "10")}},
		Scheduler:         node.Component{Args: []node.Arg{arg("v", "2")}},
		SchedulerConfig: []byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" +
			"clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}\n"),
		LocalEtcd: &node.LocalEtcd{
			DataDir: "/var/lib/etcd2", Args: []node.Arg{arg("quota-backend-bytes", "1e9")},
			ServerCertSANs: []string{"e"},
		},
		KubeProxyConfig: node.Tree{"mode": "nftables"},
		CoreDNS:         node.Addon{ImageRepository: "registry.example.com/coredns", ImageTag: "v1"},
		ImageRepository: "registry.example.com/k8s",
		FeatureGates:    []node.FeatureGate{{Name: "RootlessControlPlane", Enabled: false}},
		Certificates:    node.Certificates{Algorithm: node.ECDSAP256},
	}
}

// newer has the fields that only v1beta4 supports.
func newer() *node.ControlPlaneConfig {
	p := plane()
	p.APIServer.Env = []node.Env{{Name: "A", Value: "$(b) 1"}}
	p.APIServer.Args = append(p.APIServer.Args, node.Arg{Name: "event-ttl", Value: document.Text("3h")})
	p.APIServer.Authentication = []byte("apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n")
	p.APIServer.Authorization = []byte("apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n")
	p.KubeProxy.Disabled, p.CoreDNS.Disabled = true, true
	p.Certificates = node.Certificates{Algorithm: node.ECDSAP384, ValidityDays: 30, CAValidityDays: 3650}
	p.LocalEtcd, p.ExternalEtcd = nil, &node.ExternalEtcd{
		Endpoints: []string{"https://10.0.0.2:2379"}, CAFile: "/etc/etcd/ca.crt", CertFile: "/etc/etcd/c.crt",
		KeyFile: "/etc/etcd/c.key",
	}
	return &p
}

func modern(role node.Role) node.NodeConfig {
	n, serial := rich(role, "v1.36.3"), false
	n.Registration.ImagePullSerial = &serial
	n.Timeouts = node.Timeouts{
		ControlPlaneComponentHealthCheck: 1, KubeletHealthCheck: 2, KubernetesAPICall: 3, EtcdAPICall: 4,
		TLSBootstrap: 5, Discovery: 6,
	}
	return n
}

func TestGoldens(t *testing.T) {
	p, old := plane(), plane()
	old.CoreDNS.Disabled, old.KubeProxy.Disabled = true, true
	file := worker("v1.36.3")
	file.Discovery = &node.Discovery{Kubeconfig: secret.FromString("apiVersion: v1\nkind: Config\n")}
	local := worker("v1.36.3")
	local.Discovery = &node.Discovery{
		KubeconfigPath: "/etc/discovery.conf", TLSBootstrapToken: secret.FromString("abcdef.0123456789abcdef"),
		CACertPath: "/etc/site/ca.crt",
	}
	local.PatchesDirectory = "/etc/image patches"
	unsafe := worker("v1.36.3")
	unsafe.Discovery.CACertHashes, unsafe.Discovery.UnsafeSkipCAVerification = nil, true
	unsafe.PatchesDirectory, unsafe.Kubelet.Config = local.PatchesDirectory, node.Tree{"maxPods": 47}
	ours := rich(node.RoleWorker, "v1.31.0")
	ours.AdvertiseAddress, ours.BindPort, ours.Patches, ours.Certificates = document.Content{}, 0, ours.Patches[:1], nil
	tainted := bare(node.RoleControlPlane, "v1.36.3")
	tainted.Registration.Taints = []node.Taint{{Key: "a", Value: "b", Effect: "NoExecute"}}
	cases := map[string]struct {
		reason string
		node   node.NodeConfig
		plane  *node.ControlPlaneConfig
		target osprofile.Target
	}{
		"init-v1beta3-bare": {reason: "kubeadm's defaults stay its own", node: bare(node.RoleInit, "v1.30.14")},
		"init-v1beta4-bare": {reason: "kubeadm's defaults stay its own", node: bare(node.RoleInit, "v1.36.3")},
		"init-v1beta4-1.34": {
			reason: "FlexVolume drivers are looked for where every system can write",
			node:   bare(node.RoleInit, "v1.34.0"),
		},
		"init-v1beta3-rich": {
			reason: "the old way is found where there is one",
			node:   rich(node.RoleInit, "v1.30.14"), plane: &old,
		},
		"init-v1beta4-rich":   {reason: "all fields of both versions", node: rich(node.RoleInit, "v1.36.3"), plane: &p},
		"init-v1beta3-tokens": {reason: "own tokens", node: bare(node.RoleInit, "v1.30.14"), plane: withTokens()},
		"init-v1beta4-tokens": {reason: "own tokens", node: bare(node.RoleInit, "v1.36.3"), plane: withTokens()},
		"join-v1beta4-tokens": {
			reason: "only the first machine creates them", node: bare(node.RoleControlPlane, "v1.36.3"), plane: withTokens(),
		},
		"init-v1beta4-new": {reason: "what v1beta4 brought", node: modern(node.RoleInit), plane: newer()},
		"join-v1beta3-rich": {reason: "a further control plane node needs the files", node: rich(node.RoleControlPlane,
			"v1.28.0"), plane: &p},
		"join-v1beta4-new": {
			reason: "a further control plane node needs the files", node: modern(node.RoleControlPlane),
			plane: newer(),
		},
		"join-taints":       {reason: "taints come beside the default one unless it is replaced", node: tainted},
		"worker-v1beta3":    {reason: "an ordinary worker", node: worker("v1.30.14")},
		"worker-v1beta4":    {reason: "an ordinary worker", node: worker("v1.36.3")},
		"worker-kubelet":    {reason: "kubelet's configuration comes before the user's patches", node: ours},
		"worker-kubeconfig": {reason: "discovery by file", node: file},
		"worker-local":      {reason: "files of the image", node: local},
		"worker-unsafe":     {reason: "patches of the image and of the node are in one directory", node: unsafe},
		"worker-crio": {
			reason: "the socket is that of the system's runtime", node: bare(node.RoleWorker, "v1.37.0"),
			target: osprofile.Target{Profile: osprofile.Profile{ContainerRuntime: osprofile.RuntimeCRIO, ContainsRuntime: true}},
		},
	}
	dir := golden.Open(t, "testdata")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := expand(t, tc.node, tc.plane, tc.target)
			again, _ := expand(t, tc.node, tc.plane, tc.target)
			if diff := cmp.Diff(actions, again); diff != "" {
				t.Errorf("not deterministic: %s", diff)
			}
			compare(t, dir, name, actions, r)
		})
	}
}

// compare lays the files out as on a machine, and lists the actions beside them.
func compare(t *testing.T, dir *golden.Dir, name string, actions []action.Action, r report.Report) {
	t.Helper()
	var list bytes.Buffer
	for _, a := range actions {
		fmt.Fprintf(&list, "%s: %s", a.In(), a.Do.Summary())
		switch op := a.Do.(type) {
		case action.WriteFile:
			fmt.Fprintf(&list, " %#o secret=%t", op.Mode, op.Secret)
			dir.Compare(t, name+op.Path, op.Content.Resolve(sample))
		case action.MakeDirectory:
			fmt.Fprintf(&list, " %#o", op.Mode)
		case action.RunCommand:
			fmt.Fprintf(&list, ": %s", op.Script)
		default:
			t.Errorf("nothing here makes a %T", op)
		}
		list.WriteByte('\n')
	}
	if len(r) > 0 {
		list.WriteString(r.String() + "\n")
	}
	dir.Compare(t, name+"/actions", list.Bytes())
}

// sample gives facts the values of some machine.
func sample(f document.Fact) string {
	return map[document.Fact]string{
		document.FactHostname: "machine-1", document.FactPrivateIPv4: "10.0.0.7", document.FactInstanceID: "i-0123456789",
	}[f]
}

func TestNothingSecretInCommands(t *testing.T) {
	for _, role := range []node.Role{node.RoleInit, node.RoleControlPlane, node.RoleWorker} {
		actions, _ := expand(t, rich(role, "v1.36.3"), nil, osprofile.Target{})
		for _, a := range actions {
			if c, ok := a.Do.(action.RunCommand); ok && strings.Contains(c.Script, "0123456789abcdef") {
				t.Errorf("%s: the command contains the token", role)
			}
		}
	}
}

func TestVersions(t *testing.T) {
	want := map[string]string{}
	for minor := 28; minor <= 37; minor++ {
		want[fmt.Sprintf("v1.%d.1", minor)] = "kubeadm.k8s.io/v1beta4"
		if minor < 31 {
			want[fmt.Sprintf("v1.%d.1", minor)] = "kubeadm.k8s.io/v1beta3"
		}
	}
	for _, refused := range []string{"v1.27.9", "v1.38.0", "v2.30.0", "1.36.3", "v1.36", "", "v1.-3.0"} {
		want[refused] = ""
	}
	for version, api := range want {
		t.Run(version, func(t *testing.T) {
			actions, r := expand(t, worker(version), nil, osprofile.Target{})
			if api == "" {
				finding := fmt.Sprintf("error: spec.node.kubernetesVersion: kubeadm of Kubernetes %q is not known; "+
					"use a version from v1.28 to v1.37", version)
				if diff := cmp.Diff(finding, r.String()); diff != "" || len(actions) > 0 {
					t.Errorf("%s; %d actions", diff, len(actions))
				}
				return
			}
			config := actions[0].Do.(action.WriteFile).Content.Resolve(sample)
			if len(r) > 0 || !bytes.Contains(config, []byte(`"apiVersion":"`+api+`"`)) {
				t.Errorf("want %s and no findings, got %v and\n%s", api, r, config)
			}
		})
	}
}

// TestFlexVolumes holds where the controller manager looks for drivers to what each kubeadm mounts there.
func TestFlexVolumes(t *testing.T) {
	const ours = `"controllerManager":{"extraArgs":[{"name":"flex-volume-plugin-dir",` +
		`"value":"/var/lib/kubelet/volumeplugins"}`
	own := &node.ControlPlaneConfig{ControllerManager: node.Component{Args: []node.Arg{text("flex-volume-plugin-dir",
		"/opt/drivers")}}}
	cases := map[string]struct {
		reason, version string
		plane           *node.ControlPlaneConfig
		want, not       string
	}{
		"1.31": {reason: "kubeadm mounts a directory below /usr otherwise", version: "v1.31.14", want: ours},
		"1.35": {reason: "the last that does", version: "v1.35.2", want: ours},
		"1.30": {
			reason: "the same in the older version of the configuration", version: "v1.30.14",
			want: `"extraArgs":{"flex-volume-plugin-dir":"/var/lib/kubelet/volumeplugins"}`,
		},
		"1.36": {reason: "kubeadm mounts none", version: "v1.36.0", not: "flex-volume"},
		"a plane's": {
			reason: "before the user's own", version: "v1.34.0", plane: newer(),
			want: ours + `,{"name":"terminated-pod-gc-threshold"`,
		},
		"the user's": {
			reason: "he has drivers there", version: "v1.34.0", plane: own,
			want: `{"name":"flex-volume-plugin-dir","value":"/opt/drivers"}`, not: "volumeplugins",
		},
		"in 1.36, too": {
			reason: "it is an argument like others", version: "v1.36.0", plane: own,
			want: `{"name":"flex-volume-plugin-dir","value":"/opt/drivers"}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			actions, r := expand(t, bare(node.RoleInit, tc.version), tc.plane, osprofile.Target{})
			if r.HasErrors() {
				t.Fatal(r)
			}
			config := string(actions[0].Do.(action.WriteFile).Content.Resolve(sample))
			if !strings.Contains(config, tc.want) || tc.not != "" && strings.Contains(config, tc.not) {
				t.Errorf("%s: want %s in\n%s", tc.reason, tc.want, config)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	kinds := []document.Kind{node.KindNode, node.KindControlPlane}
	want := ports.Capability{Name: "kubeadm", Kinds: kinds, Reads: []document.Kind{
		machine.KindContainerd, machine.KindCRIO, node.KindNode, node.KindControlPlane, machine.KindFilesystem,
		machine.KindMount,
	}}
	if diff := cmp.Diff(want, kubeadm.Expander{}.Describe()); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkExpandWorker(b *testing.B) {
	b.ReportAllocs()
	n := worker("v1.36.3")
	n.Registration.Name, n.Kubelet.Args = document.Text("machine-1"),
		[]node.Arg{{Name: "cloud-provider", Value: document.Text("external")}}
	e := ports.Expansion{Document: document.Document{Value: n, Source: document.Source{Path: nodeAt}}}
	for b.Loop() {
		if _, r, err := (kubeadm.Expander{}).Expand(b.Context(), e); err != nil || len(r) > 0 {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkExpandWorkerFacts(b *testing.B) {
	b.ReportAllocs()
	e := ports.Expansion{Document: document.Document{Value: worker("v1.36.3"), Source: document.Source{Path: nodeAt}}}
	for b.Loop() {
		if _, r, err := (kubeadm.Expander{}).Expand(b.Context(), e); err != nil || len(r) > 0 {
			b.Fatal(r, err)
		}
	}
}
