package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/plugin/kubeadm"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

func text(name, value string) node.Arg { return node.Arg{Name: name, Value: document.Text(value)} }

func TestFindings(t *testing.T) {
	no := false
	const later = "; leave it out, or use Kubernetes 1.31 or newer"
	cases := map[string]struct {
		reason  string
		version string
		change  func(*node.NodeConfig, *node.ControlPlaneConfig)
		want    []string
	}{
		"Labels": {
			reason: "one of two sources of labels would win silently",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Registration.Labels = []node.Label{{Key: "a", Value: document.Text("b")}}
				n.Kubelet.Args = []node.Arg{text("node-labels", "c=d")}
			},
			want: []string{"error: spec.node.kubelet.extraArgs[0]: the node's field labels sets the argument node-labels, " +
				"too; keep one of them"},
		},
		"Names": {
			reason: "kubeadm refuses phases and feature gates that its version does not have, and ignores such checks",
			change: func(n *node.NodeConfig, p *node.ControlPlaneConfig) {
				n.SkipPhases = []string{"addon/core-dns"}
				n.Registration.IgnorePreflightErrors = []string{"FileExisting-crictl"}
				p.FeatureGates = []node.FeatureGate{{Name: "EtcdLearnerMode", Enabled: true}}
			},
			want: []string{
				`error: spec.node.skipPhases[0]: kubeadm has no phase "addon/core-dns"; use addon/coredns`,
				"warning: spec.node.registration.ignorePreflightErrors[0]: kubeadm of Kubernetes 1.36 has no preflight check " +
					"FileExisting-crictl, so that this has no effect: Kubernetes 1.32 removed it; remove it",
				"error: spec.controlPlane.featureGates[0]: kubeadm of Kubernetes 1.36 has no feature gate EtcdLearnerMode: " +
					"Kubernetes 1.33 removed it; remove it",
			},
		},
		"PatchOfCoreDNS": {
			reason: "kubeadm ignores files with a target that its version does not have", version: "v1.30.5",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Patches = []node.Patch{{Target: "corednsdeployment", Content: []byte("spec: {replicas: 3}")}}
			},
			want: []string{"warning: spec.node.patches[0].target: kubeadm of Kubernetes 1.30 ignores patches of " +
				"corednsdeployment; remove the patch, or use Kubernetes 1.31 or newer"},
		},
		"Components": {
			reason: "kubelet and kube-proxy would not start; of a version, they ignore fields that they do not have",
			change: func(n *node.NodeConfig, p *node.ControlPlaneConfig) {
				n.Patches = []node.Patch{
					{Target: "kubeletconfiguration", Content: []byte("evictionHard: {$patch: replace}\nfailSwapOn: 1\n")},
					{Target: "etcd", Content: []byte("spec: {hostNetwork: 1}")},
				}
				p.KubeProxyConfig = node.Tree{"conntrack": map[string]any{"maxPerCore": "all"}, "mod": "ipvs"}
			},
			want: []string{
				"error: spec.controlPlane.kubeProxyConfig.conntrack.maxPerCore: kube-proxy accepts only a whole number from " +
					"-2147483648 to 2147483647 here, and this is a string, so that it would not start; write such a number " +
					"without quotes",
				"warning: spec.controlPlane.kubeProxyConfig.mod: kube-proxy does not have this field, so that it has no " +
					"effect; did you mean mode?",
				"error: spec.node.patches[0].content.failSwapOn: kubelet accepts only true or false here, and this is a " +
					"number, so that it would not start; write true or false without quotes",
			},
		},
		"TokensOfASkippedPhase": {
			reason: "kubeadm would not create the tokens", version: "v1.36.3",
			change: func(n *node.NodeConfig, p *node.ControlPlaneConfig) {
				n.SkipPhases = []string{"bootstrap-token"}
				p.BootstrapTokens = []node.InitToken{{Token: secret.FromString("abcdef.canary7q9zk2xw5v")}}
			},
			want: []string{"warning: spec.node.skipPhases[0]: without the phase bootstrap-token, kubeadm does not create the " +
				"tokens of controlPlane.bootstrapTokens; remove the phase, or the tokens"},
		},
		"NamesOfAnUnknownVersion": {
			reason: "names of any version pass if the version is not known", version: "v1.99.0",
			change: func(n *node.NodeConfig, p *node.ControlPlaneConfig) {
				n.SkipPhases = []string{"control-plane-join/update-status", "x"}
				p.FeatureGates = []node.FeatureGate{{Name: "EtcdLearnerMode", Enabled: true}}
			},
			want: []string{
				`error: spec.node.skipPhases[1]: kubeadm has no phase "x"; use one of preflight, certs, kubeconfig, etcd, ` +
					`control-plane, kubelet-start, wait-control-plane, upload-config, upload-certs, mark-control-plane, ` +
					`bootstrap-token, kubelet-finalize, addon, show-join-command, control-plane-prepare, check-etcd, ` +
					`etcd-join, kubelet-wait-bootstrap, control-plane-join`,
				`error: spec.node.kubernetesVersion: kubeadm of Kubernetes "v1.99.0" is not known; use a version from v1.28 ` +
					`to v1.37`,
			},
		},
		"Placeholder": {
			reason: "an author of a template for cloud-init learns what replaces its placeholders",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Kubelet.Args = []node.Arg{text("provider-id", "aws:///'{{ ds.meta_data.instance_id }}'")}
			},
			want: []string{"error: spec.node.kubelet.extraArgs[0]: cloud-init does not replace placeholders here; write " +
				"parts, which contain texts and facts such as instanceID"},
		},
		"LabelArgument": {
			reason: "kubelet does not start with such a label, however it is given",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Kubelet.Args = []node.Arg{text("node-labels", "a=b,node-role.kubernetes.io/worker=")}
			},
			want: []string{`error: spec.node.kubelet.extraArgs[0]: kubelet must not set the label ` +
				`"node-role.kubernetes.io/worker", and does not ` +
				`start with it; set it on the Machine or with kubectl, or use another prefix such as node.kubernetes.io/`},
		},
		"Taints": {
			reason: "one of two sources of taints would win silently",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Registration.Taints = []node.Taint{{Key: "a", Effect: "NoSchedule"}}
				n.Kubelet.Args = []node.Arg{text("register-with-taints", "b:NoSchedule")}
			},
			want: []string{"error: spec.node.kubelet.extraArgs[0]: the node's field taints sets the argument " +
				"register-with-taints, too; keep one of them"},
		},
		"TaintsOfAnArgument": {
			reason: "users of an argument have set no field",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Registration.Taints = []node.Taint{{Key: node.UninitializedTaint, Effect: "NoSchedule"}}
				n.Kubelet.Args = []node.Arg{text("register-with-taints", "b:NoSchedule")}
			},
			want: []string{"error: spec.node.kubelet.extraArgs[0]: workers also start with the taint " +
				"node.cluster.x-k8s.io/uninitialized, which Cluster API requires, and kubelet accepts the argument once; write " +
				"the taints in spec.node.taints"},
		},
		"NameAndSocket": {
			reason: "neither of two names, and neither of two sockets",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Registration.Name, n.Registration.CRISocket = document.Text("a"), "unix:///run/a.sock"
				n.Kubelet.Args = []node.Arg{text("hostname-override", "b"), text("container-runtime-endpoint",
					"unix:///run/b.sock")}
			},
			want: []string{
				"error: spec.node.kubelet.extraArgs[0]: the node's field name sets the argument " +
					"hostname-override, too; keep one of them",
				"error: spec.node.kubelet.extraArgs[1]: the node's field criSocket sets the argument container-runtime-endpoint, " +
					"too; keep one of them",
			},
		},
		"KubeletWords": {
			reason: "systemd would split and unquote these",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Kubelet.Args = []node.Arg{
					text("a", "b c"), text("b", `{"a":1}`), text("c", "x\ny"), text("d", `\`),
					text("e", "\xff"), text("f", "{{%:é🙂$@"),
				}
			},
			want: []string{kubeletWord(0), kubeletWord(1), kubeletWord(2), kubeletWord(3), kubeletWord(4)},
		},
		"RepeatedKubeletArgument": {
			reason: "v1beta3 has a map", version: "v1.30.0",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Registration.Labels = []node.Label{{Key: "a", Value: document.Text("b")}}
				n.Kubelet.Args = []node.Arg{text("x", "1"), text("x", "2")}
			},
			want: []string{"error: spec.node.kubelet.extraArgs[1]: the argument x is repeated; kubeadm of Kubernetes 1.30 " +
				"accepts each name once; " +
				"keep one of them, or use Kubernetes 1.31 or newer"},
		},
		"V1beta3Node": {
			reason: "node fields that the old version lacks", version: "v1.29.3",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Registration.ImagePullSerial = &no
				n.Timeouts = node.Timeouts{
					ControlPlaneComponentHealthCheck: 1, KubeletHealthCheck: 2, KubernetesAPICall: 3,
					EtcdAPICall: 4, TLSBootstrap: 5, Discovery: 6,
				}
			},
			want: []string{
				"error: spec.node.registration.imagePullSerial: kubeadm of Kubernetes 1.29 does not support whether " +
					"images are pulled one by one" + later,
				"error: spec.node.timeouts.kubeletHealthCheckSeconds: kubeadm of Kubernetes 1.29 does not support this timeout" +
					later,
				"error: spec.node.timeouts.kubernetesAPICallSeconds: kubeadm of Kubernetes 1.29 does not support this timeout" +
					later,
				"error: spec.node.timeouts.etcdAPICallSeconds: kubeadm of Kubernetes 1.29 does not support this timeout" + later,
				"error: spec.node.timeouts.tlsBootstrapSeconds: kubeadm of Kubernetes 1.29 does not support this timeout" + later,
			},
		},
		"StructuredV1": {
			reason: "the API server does not start with them", version: "v1.31.3",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) {
				p.APIServer.Authentication = []byte("apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n")
				p.APIServer.Authorization = []byte("apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n")
			},
			want: []string{
				"error: spec.controlPlane.apiServer.authentication: the API server of Kubernetes 1.31 does not read " +
					"AuthenticationConfiguration of apiserver.config.k8s.io/v1; " +
					"use apiserver.config.k8s.io/v1beta1, or Kubernetes 1.34 or newer",
				"error: spec.controlPlane.apiServer.authorization: the API server of Kubernetes 1.31 does not read " +
					"AuthorizationConfiguration of apiserver.config.k8s.io/v1; " +
					"use apiserver.config.k8s.io/v1beta1, or Kubernetes 1.32 or newer",
			},
		},
		"V1beta3Plane": {
			reason: "control plane fields that the old version lacks", version: "v1.29.3",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) {
				p.Scheduler.Env = []node.Env{{Name: "A", Value: "B"}}
				p.LocalEtcd = &node.LocalEtcd{Args: []node.Arg{text("a", "1"), text("a", "2")}}
				p.Certificates = node.Certificates{Algorithm: node.RSA4096, ValidityDays: 1, CAValidityDays: 2}
				p.APIServer.Authentication = []byte("apiVersion: apiserver.config.k8s.io/v1beta1\nkind: " +
					"AuthenticationConfiguration\n")
			},
			want: []string{
				"error: spec.controlPlane.apiServer.authentication: kubeadm of Kubernetes 1.29 does not support " +
					"AuthenticationConfiguration; " +
					"leave it out, or use Kubernetes 1.30 or newer",
				"error: spec.controlPlane.scheduler.extraEnvs: kubeadm of Kubernetes 1.29 does not support environment variables" +
					later,
				"error: spec.controlPlane.localEtcd.extraArgs[1]: the argument a is repeated; kubeadm of Kubernetes 1.29 " +
					"accepts each name once; " +
					"keep one of them, or use Kubernetes 1.31 or newer",
				"error: spec.controlPlane.certificates.validityDays: kubeadm of Kubernetes 1.29 does not support how " +
					"long certificates are valid" + later,
				"error: spec.controlPlane.certificates.caValidityDays: kubeadm of Kubernetes 1.29 does not support how long " +
					"certificates of authorities are valid" + later,
				"error: spec.controlPlane.certificates.algorithm: kubeadm of Kubernetes 1.29 does not support RSA-4096" + later,
			},
		},
		"P384": {
			reason: "the curve came later than the version of the configuration", version: "v1.33.0",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) { p.Certificates.Algorithm = node.ECDSAP384 },
			want: []string{"error: spec.controlPlane.certificates.algorithm: kubeadm of Kubernetes 1.33 " +
				"does not support ECDSA-P384; " +
				"leave it out, or use Kubernetes 1.34 or newer"},
		},
		"OwnArguments": {
			reason: "a field and an argument must not set the same, nor two volumes have one path",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) {
				p.APIServer.Audit = &node.Audit{Policy: []byte("apiVersion: audit.k8s.io/v1\nkind: Policy\n"), LogPath: "-"}
				p.APIServer.Args = []node.Arg{text("audit-log-path", "/a")}
				p.APIServer.Volumes = []node.Volume{{Name: "machineadm", HostPath: "/a", MountPath: "/a"}}
			},
			want: []string{
				"error: spec.controlPlane.apiServer.extraArgs[0]: a field of the control plane sets " +
					"the argument audit-log-path, too; keep one of them",
				`error: spec.controlPlane.apiServer.extraVolumes[0]: another volume has the name "machineadm" or the mount path ` +
					kubeadm.APIServerDir + `; choose others`,
			},
		},
		"Rootless": {
			reason: "the API server would not start",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) {
				p.FeatureGates = []node.FeatureGate{{Name: "RootlessControlPlane", Enabled: true}}
				p.APIServer.AuthenticationWebhook = secret.FromString("apiVersion: v1\nkind: Config\n")
			},
			want: []string{`error: spec.controlPlane.featureGates[0]: an API server that is not root cannot read its files ` +
				"that hold secrets, nor write its audit log; turn it off"},
		},
		"Characters": {
			reason: "what kubeadm cannot write into a manifest",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) {
				p.APIServer.Args = []node.Arg{
					text("a", "\x00"), text("b", "\xff"), text("c", "\u0085"), text("d", "\u2028"),
					text("e", "\ufeff"),
				}
			},
			want: []string{
				"error: spec.controlPlane.apiServer.extraArgs[0].value: an argument cannot hold a NUL byte",
				"error: spec.controlPlane.apiServer.extraArgs[1].value: the value is not valid UTF-8; use UTF-8",
				"error: spec.controlPlane.apiServer.extraArgs[2].value: kubeadm does not support the " +
					"character U+0085 in a manifest",
				"error: spec.controlPlane.apiServer.extraArgs[3].value: kubeadm does not support the " +
					"character U+2028 in a manifest",
				"error: spec.controlPlane.apiServer.extraArgs[4].value: kubeadm does not support the " +
					"character U+FEFF in a manifest",
			},
		},
		"KubeProxyImage": {
			reason: "kubeadm has no such field",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) { p.KubeProxy.ImageTag = "v1" },
			want: []string{"error: spec.controlPlane.kubeProxy: kubeadm takes kube-proxy's image from the cluster's " +
				"repository and version; " +
				"use imageRepository of the control plane"},
		},
		"Manifests": {
			reason: "a component that cannot read its file does not start",
			change: func(_ *node.NodeConfig, p *node.ControlPlaneConfig) {
				p.APIServer.Audit = &node.Audit{
					Policy:  []byte("kind: Policy\napiVersion: audit.k8s.io/v1beta1\n"),
					LogPath: "audit.log",
				}
				p.APIServer.EncryptionAtRest = secret.FromString("a: canary7q9zk2xw5v\n\tb")
				p.APIServer.AuthenticationWebhook = secret.FromString("canary7q9zk2xw5v")
				p.APIServer.Admission = []byte("apiVersion: apiserver.config.k8s.io/v1\nkind: A\nkind: B\n")
				p.SchedulerConfig = []byte("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n")
			},
			want: []string{
				`error: spec.controlPlane.apiServer.audit.policy (line 2, column 13): its apiVersion does not match; ` +
					`use audit.k8s.io/v1`,
				"error: spec.controlPlane.apiServer.encryptionAtRest (line 2, column 1): this is not well-formed YAML: a tab " +
					"is used for indentation; use spaces",
				"error: spec.controlPlane.apiServer.authenticationWebhook (line 1, column 1): it is not a mapping; begin it with " +
					"apiVersion and kind",
				"error: spec.controlPlane.apiServer.admission (line 3, column 1): the key is already in " +
					"line 2; remove one of them",
				"error: spec.controlPlane.schedulerConfig: it does not set the scheduler's kubeconfig; " +
					"write clientConnection.kubeconfig: /etc/kubernetes/scheduler.conf",
				`error: spec.controlPlane.apiServer.audit.logPath: "audit.log" is not a file in a separate directory; ` +
					"write an absolute path such as /var/log/kubernetes/audit/audit.log, or a dash for the standard output",
			},
		},
		"Patches": {
			reason: "kubeadm would stop half-way",
			change: func(n *node.NodeConfig, _ *node.ControlPlaneConfig) {
				n.Patches = []node.Patch{
					{Target: "etcd", Type: "json", Content: []byte("a: b")},
					{Target: "etcd", Content: []byte("- a")},
					{Target: "etcd", Content: []byte("a: [")},
					{Target: "etcd", Content: []byte("# nothing")},
				}
			},
			want: []string{
				"error: spec.node.patches[0].content (line 1, column 1): a JSON patch is a list of operations",
				"error: spec.node.patches[1].content (line 1, column 1): the patch is not a mapping",
				"error: spec.node.patches[2].content (line 1, column 1): this is not well-formed YAML: a value is missing",
				"error: spec.node.patches[3].content: the patch is empty; set its content, or remove it",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			version := tc.version
			if version == "" {
				version = "v1.36.3"
			}
			n, p := bare(node.RoleInit, version), node.ControlPlaneConfig{}
			tc.change(&n, &p)
			_, r := expand(t, n, &p, osprofile.Target{})
			if diff := cmp.Diff(tc.want, strings.Split(r.String(), "\n")); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

func kubeletWord(i int) string {
	return "error: spec.node.kubelet.extraArgs[" + string(rune('0'+i)) +
		"]: kubelet's environment file does not support blanks, quotes, backslashes and control characters in arguments; " +
		"use the field of kubelet.config for it"
}

func TestMisplaced(t *testing.T) {
	n := worker("v1.36.3")
	_, r := expand(t, n, &node.ControlPlaneConfig{}, osprofile.Target{})
	if diff := cmp.Diff("error: spec.controlPlane: a worker runs no control plane; leave it out", r.String()); diff != "" {
		t.Error(diff)
	}
	doc := document.Document{Value: machine.Command{}, Source: document.Source{Path: "spec.x"}}
	_, r, err := kubeadm.Expander{}.Expand(t.Context(), ports.Expansion{Document: doc})
	if diff := cmp.Diff("error: spec.x: kubeadm does not support a Command", r.String()); diff != "" || err != nil {
		t.Error(diff, err)
	}
	n.Discovery = nil
	_, r = expand(t, n, nil, osprofile.Target{})
	if diff := cmp.Diff("error: spec.node.discovery: discovery is required for a machine that joins; set a token and CA "+
		"certificate hashes, or a kubeconfig", r.String()); diff != "" {
		t.Error(diff)
	}
	n.Discovery = &node.Discovery{Kubeconfig: secret.FromString("canary7q9zk2xw5v: [")}
	_, r = expand(t, n, nil, osprofile.Target{})
	if !r.HasErrors() || strings.Contains(r.String(), "canary7q9zk2xw5v") {
		t.Errorf("want an error without the kubeconfig's text, got %s", r)
	}
}

// configOf returns kubeadm's configuration among the actions.
func configOf(t *testing.T, actions []action.Action) document.Content {
	t.Helper()
	for _, a := range actions {
		if f, ok := a.Do.(action.WriteFile); ok && f.Path == kubeadm.ConfigPath {
			return f.Content
		}
	}
	t.Fatal("there is no configuration of kubeadm's")
	return document.Content{}
}
