package kubeadmnames_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

func TestCheckPhases(t *testing.T) {
	cases := map[string]struct {
		reason string
		role   node.Role
		minor  int
		phases []string
		want   []string
	}{
		"Known": {
			reason: "a control plane's settings apply to machines that run kubeadm init, and to those that join",
			role:   node.RoleInit, minor: 36,
			phases: []string{"addon/kube-proxy", "certs/etcd-ca", "control-plane-join/mark-control-plane", "check-etcd"},
		},
		"Joining": {
			reason: "the first machine of the control plane has the same settings",
			role:   node.RoleControlPlane, minor: 28, phases: []string{"mark-control-plane", "wait-control-plane"},
		},
		"Shared": {
			reason: "kubeadm join got a phase later than kubeadm init",
			role:   node.RoleWorker, minor: 29, phases: []string{"preflight", "wait-control-plane"},
			want: []string{"error: p[1]: kubeadm join of Kubernetes 1.29 has no phase wait-control-plane: Kubernetes 1.30 is " +
				"the first with it; remove it"},
		},
		"Removed": {
			reason: "kubeadm refuses names that it had",
			role:   node.RoleInit, minor: 32, phases: []string{"kubelet-finalize/experimental-cert-rotation"},
			want: []string{"error: p[0]: kubeadm of Kubernetes 1.32 has no phase kubelet-finalize/experimental-cert-rotation: " +
				"Kubernetes 1.32 removed it; remove it"},
		},
		"LastVersion": {
			reason: "the version before the removal has the name",
			role:   node.RoleInit, minor: 31, phases: []string{"kubelet-finalize/experimental-cert-rotation"},
		},
		"Worker": {
			reason: "workers never run kubeadm init",
			role:   node.RoleWorker, minor: 36, phases: []string{"addon/coredns"},
			want: []string{"error: p[0]: only kubeadm init has the phase addon/coredns, and workers run kubeadm join; " +
				"remove it"},
		},
		"Similar": {
			reason: "a mistyped name has one correction",
			role:   node.RoleInit, minor: 36, phases: []string{"addons/coredns", "Preflight", "addon/kubeproxy"},
			want: []string{
				`error: p[0]: kubeadm has no phase "addons/coredns"; use addon/coredns`,
				`error: p[1]: kubeadm has no phase "Preflight"; use preflight`,
				`error: p[2]: kubeadm has no phase "addon/kubeproxy"; use addon/kube-proxy`,
			},
		},
		"Unlike": {
			reason: "the list shows what there is in this version",
			role:   node.RoleWorker, minor: 30, phases: []string{"install"},
			want: []string{`error: p[0]: kubeadm join has no phase "install"; use one of preflight, control-plane-prepare, ` +
				`check-etcd, kubelet-start, control-plane-join, wait-control-plane`},
		},
		"UnknownVersion": {
			reason: "a machine without a version may have any of the names",
			role:   node.RoleInit, phases: []string{"control-plane-join/update-status", "etcd-join", "x"},
			want: []string{`error: p[2]: kubeadm has no phase "x"; use one of preflight, certs, kubeconfig, etcd, ` +
				`control-plane, kubelet-start, wait-control-plane, upload-config, upload-certs, mark-control-plane, ` +
				`bootstrap-token, kubelet-finalize, addon, show-join-command, control-plane-prepare, check-etcd, etcd-join, ` +
				`kubelet-wait-bootstrap, control-plane-join`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			compare(t, tc.reason, tc.want, kubeadmnames.CheckPhases("p", tc.phases, tc.role, tc.minor))
		})
	}
}

func compare(t *testing.T, reason string, want []string, got report.Report) {
	t.Helper()
	var lines []string
	for _, f := range got {
		lines = append(lines, f.String())
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Errorf("%s (-want +got):\n%s", reason, d)
	}
}

func TestCheckPreflight(t *testing.T) {
	cases := map[string]struct {
		reason string
		minor  int
		checks []string
		want   []string
	}{
		"Known": {
			reason: "kubeadm compares without case, and some names contain ports and paths",
			minor:  36, checks: []string{
				"Swap", "numcpu", "Port-10250", "FileAvailable--etc-kubernetes-kubelet.conf",
				"DirAvailable--var-lib-etcd", "Service-Kubelet",
			},
		},
		"All": {reason: "one name for all checks", minor: 36, checks: []string{"all"}},
		"AllAndOthers": {
			reason: "kubeadm refuses this list",
			minor:  36, checks: []string{"Swap", "ALL"},
			want: []string{"error: p[1]: kubeadm does not accept other checks besides all; remove all, or the others"},
		},
		"Removed": {
			reason: "it has no effect, and a user learns why",
			minor:  36, checks: []string{
				"FileExisting-crictl", "FileContent--proc-sys-net-bridge-bridge-nf-call-iptables",
				"DirAvailable--etc-kubernetes-manifests",
			},
			want: []string{
				"warning: p[0]: kubeadm of Kubernetes 1.36 has no preflight check FileExisting-crictl, so that this has no " +
					"effect: Kubernetes 1.32 removed it; remove it",
				"warning: p[1]: kubeadm of Kubernetes 1.36 has no preflight check " +
					"FileContent--proc-sys-net-bridge-bridge-nf-call-iptables, so that this has no effect: Kubernetes 1.30 " +
					"removed it; remove it",
				"warning: p[2]: kubeadm of Kubernetes 1.36 has no preflight check DirAvailable--etc-kubernetes-manifests, so " +
					"that this has no effect: Kubernetes 1.23 removed it; remove it",
			},
		},
		"Newer": {
			reason: "a later version has it",
			minor:  34, checks: []string{"ContainerRuntimeVersion"},
			want: []string{"warning: p[0]: kubeadm of Kubernetes 1.34 has no preflight check ContainerRuntimeVersion, so that " +
				"this has no effect: Kubernetes 1.35 is the first with it; remove it"},
		},
		"Similar": {
			reason: "a mistyped name has no effect, and the check fails on the machine",
			minor:  36, checks: []string{"SystemVerfication", "NumCPUs"},
			want: []string{
				`warning: p[0]: kubeadm has no preflight check "SystemVerfication", so that this has no effect; use ` +
					`SystemVerification`,
				`warning: p[1]: kubeadm has no preflight check "NumCPUs", so that this has no effect; use NumCPU`,
			},
		},
		"Unlike": {
			reason: "two names in one are no name",
			minor:  36, checks: []string{"NumCPU,Mem,Swap,Hostname"},
			want: []string{`warning: p[0]: kubeadm has no preflight check "NumCPU,Mem,Swap,Hostname", so that this has no ` +
				`effect; use one of all, NumCPU, Mem, KubernetesVersion, Firewalld, Port-*, FileAvailable-*, DirAvailable-*, ` +
				`HTTPProxy, HTTPProxyCIDR, ExternalEtcdVersion, ExternalEtcdClientCertificates, IsPrivilegedUser, CRI, ` +
				`ContainerRuntimeVersion, SystemVerification, Hostname, KubeletVersion, Service-kubelet, Swap, ImagePull, ` +
				`FileContent--proc-sys-net-ipv4-ip_forward, FileContent--proc-sys-net-ipv6-conf-default-forwarding, ` +
				`FileExisting-mount, FileExisting-losetup, FileExisting-cp, FileExisting-xcopy`},
		},
		"UnknownVersion": {
			reason: "a machine without a version may have any of the names",
			checks: []string{"FileExisting-crictl", "ContainerRuntimeVersion"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			compare(t, tc.reason, tc.want, kubeadmnames.CheckPreflight("p", tc.checks, tc.minor))
		})
	}
}

func TestCheckGates(t *testing.T) {
	const elsewhere = "; write gates of components in their extraArgs or in kubelet.config"
	cases := map[string]struct {
		reason string
		minor  int
		gate   string
		want   []string
	}{
		"Known": {reason: "this version has the gate", minor: 32, gate: "EtcdLearnerMode"},
		"Removed": {
			reason: "kubeadm refuses gates that it had",
			minor:  33, gate: "EtcdLearnerMode",
			want: []string{"error: p[0]: kubeadm of Kubernetes 1.33 has no feature gate EtcdLearnerMode: Kubernetes 1.33 " +
				"removed it; remove it"},
		},
		"LongAgo": {
			reason: "templates are older than the versions that machineadm supports",
			minor:  36, gate: "IPv6DualStack",
			want: []string{"error: p[0]: kubeadm of Kubernetes 1.36 has no feature gate IPv6DualStack: Kubernetes 1.24 " +
				"removed it; remove it"},
		},
		"Newer": {
			reason: "a later version has it",
			minor:  31, gate: "NodeLocalCRISocket",
			want: []string{"error: p[0]: kubeadm of Kubernetes 1.31 has no feature gate NodeLocalCRISocket: Kubernetes 1.32 " +
				"is the first with it; remove it"},
		},
		"Case": {
			reason: "kubeadm compares gates with case",
			minor:  36, gate: "nodeLocalCRISocket",
			want: []string{`error: p[0]: "nodeLocalCRISocket" is not a feature gate of kubeadm; use NodeLocalCRISocket` +
				elsewhere},
		},
		"Component": {
			reason: "the gates of kubelet and of the API server have other fields",
			minor:  36, gate: "UserNamespacesSupport",
			want: []string{`error: p[0]: "UserNamespacesSupport" is not a feature gate of kubeadm; use one of ` +
				`NodeLocalCRISocket, PublicKeysECDSA, RootlessControlPlane` + elsewhere},
		},
		"UnknownVersion": {reason: "a machine without a version may have any of the gates", gate: "EtcdLearnerMode"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			gates := []node.FeatureGate{{Name: tc.gate}}
			compare(t, tc.reason, tc.want, kubeadmnames.CheckGates("p", gates, tc.minor))
		})
	}
}

// TestLongNames shows that a hostile name costs and returns little.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for _, f := range kubeadmnames.CheckPhases("p", []string{long}, node.RoleInit, 36) {
		if n := len(f.String()); n > report.MaxText {
			t.Errorf("a finding has %d bytes", n)
		}
	}
}

func TestSkipPhases(t *testing.T) {
	phases := []string{"addon/coredns", "control-plane-join/etcd", "preflight"}
	cases := map[string]struct {
		role  node.Role
		minor int
		want  []string
	}{
		"Init":  {node.RoleInit, 36, []string{"addon/coredns", "preflight"}},
		"Join":  {node.RoleControlPlane, 35, []string{"control-plane-join/etcd", "preflight"}},
		"Newer": {node.RoleControlPlane, 36, []string{"preflight"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, kubeadmnames.SkipPhases(phases, tc.role, tc.minor)); d != "" {
				t.Errorf("kubeadm refuses phases of another command (-want +got):\n%s", d)
			}
		})
	}
}
