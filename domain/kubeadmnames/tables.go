package kubeadmnames

// Source is where the names come from. The versions are the last releases of each minor version in November 2026.
const Source = "k8s.io/kubernetes v1.22.17 to v1.37.2, cmd/kubeadm/app: cmd/phases, phases/certs/certlist.go, " +
	"preflight/checks*.go, features/features.go"

// InitPhases returns the phases of kubeadm init. Phases whose last part is "all" exist for the command line: to skip
// them has no effect.
func InitPhases() []Name {
	return []Name{
		{Text: "preflight"},
		{Text: "certs"},
		{Text: "certs/all"},
		{Text: "certs/ca"},
		{Text: "certs/apiserver"},
		{Text: "certs/apiserver-kubelet-client"},
		{Text: "certs/front-proxy-ca"},
		{Text: "certs/front-proxy-client"},
		{Text: "certs/etcd-ca"},
		{Text: "certs/etcd-server"},
		{Text: "certs/etcd-peer"},
		{Text: "certs/etcd-healthcheck-client"},
		{Text: "certs/apiserver-etcd-client"},
		{Text: "certs/sa"},
		{Text: "kubeconfig"},
		{Text: "kubeconfig/all"},
		{Text: "kubeconfig/admin"},
		{Text: "kubeconfig/super-admin", Since: 29},
		{Text: "kubeconfig/kubelet"},
		{Text: "kubeconfig/controller-manager"},
		{Text: "kubeconfig/scheduler"},
		{Text: "etcd"},
		{Text: "etcd/local"},
		{Text: "control-plane"},
		{Text: "control-plane/all"},
		{Text: "control-plane/apiserver"},
		{Text: "control-plane/controller-manager"},
		{Text: "control-plane/scheduler"},
		{Text: "kubelet-start"},
		{Text: "wait-control-plane"},
		{Text: "upload-config"},
		{Text: "upload-config/all"},
		{Text: "upload-config/kubeadm"},
		{Text: "upload-config/kubelet"},
		{Text: "upload-certs"},
		{Text: "mark-control-plane"},
		{Text: "bootstrap-token"},
		{Text: "kubelet-finalize"},
		{Text: "kubelet-finalize/all"},
		{Text: "kubelet-finalize/enable-client-cert-rotation", Since: 31},
		{Text: "kubelet-finalize/experimental-cert-rotation", Removed: 32},
		{Text: "addon"},
		{Text: "addon/all"},
		{Text: "addon/coredns"},
		{Text: "addon/kube-proxy"},
		{Text: "show-join-command", Since: 26},
	}
}

// JoinPhases returns the phases of kubeadm join.
func JoinPhases() []Name {
	return []Name{
		{Text: "preflight"},
		{Text: "control-plane-prepare"},
		{Text: "control-plane-prepare/all"},
		{Text: "control-plane-prepare/download-certs"},
		{Text: "control-plane-prepare/certs"},
		{Text: "control-plane-prepare/kubeconfig"},
		{Text: "control-plane-prepare/control-plane"},
		{Text: "check-etcd"},
		{Text: "kubelet-start"},
		{Text: "etcd-join", Since: 31},
		{Text: "kubelet-wait-bootstrap", Since: 31},
		{Text: "control-plane-join"},
		{Text: "control-plane-join/all"},
		{Text: "control-plane-join/etcd", Removed: 36},
		{Text: "control-plane-join/update-status", Removed: 31},
		{Text: "control-plane-join/mark-control-plane"},
		{Text: "wait-control-plane", Since: 30},
	}
}

// all ignores the errors of all checks.
const all = "all"

// Checks returns the preflight checks of kubeadm init and kubeadm join. Paths and ports of the configuration are part
// of some names.
func Checks() []Name {
	return []Name{
		{Text: all},
		{Text: "NumCPU"},
		{Text: "Mem"},
		{Text: "KubernetesVersion"},
		{Text: "Firewalld"},
		{Text: "Port-*"},
		{Text: "FileAvailable-*"},
		{Text: "DirAvailable-*"},
		{Text: "DirAvailable--etc-kubernetes-manifests", Removed: 23},
		{Text: "HTTPProxy"},
		{Text: "HTTPProxyCIDR"},
		{Text: "ExternalEtcdVersion"},
		{Text: "ExternalEtcdClientCertificates"},
		{Text: "IsPrivilegedUser"},
		{Text: "CRI"},
		{Text: "ContainerRuntimeVersion", Since: 35},
		{Text: "SystemVerification"},
		{Text: "Hostname"},
		{Text: "KubeletVersion"},
		{Text: "Service-kubelet"},
		{Text: "Swap"},
		{Text: "ImagePull"},
		{Text: "FileContent--proc-sys-net-bridge-bridge-nf-call-iptables", Removed: 30},
		{Text: "FileContent--proc-sys-net-bridge-bridge-nf-call-ip6tables", Removed: 30},
		{Text: "FileContent--proc-sys-net-ipv4-ip_forward"},
		{Text: "FileContent--proc-sys-net-ipv6-conf-default-forwarding"},
		{Text: "FileExisting-conntrack", Removed: 32},
		{Text: "FileExisting-mount"},
		{Text: "FileExisting-losetup", Since: 33},
		{Text: "FileExisting-cp", Since: 33},
		{Text: "FileExisting-xcopy", Since: 33},
		// Patch releases of 1.28 to 1.30 removed these two.
		{Text: "FileExisting-ebtables", Removed: 31},
		{Text: "FileExisting-socat", Removed: 31},
		{Text: "FileExisting-crictl", Removed: 32},
		{Text: "FileExisting-ip", Removed: 33},
		{Text: "FileExisting-iptables", Removed: 33},
		{Text: "FileExisting-nsenter", Removed: 33},
		{Text: "FileExisting-ethtool", Removed: 33},
		{Text: "FileExisting-tc", Removed: 33},
		{Text: "FileExisting-touch", Removed: 33},
	}
}

// Gates returns the feature gates of kubeadm. They are not those of kubelet and of the components.
func Gates() []Name {
	return []Name{
		{Text: "ControlPlaneKubeletLocalMode", Since: 31, Removed: 36},
		{Text: "EtcdLearnerMode", Since: 27, Removed: 33},
		{Text: "IPv6DualStack", Removed: 24},
		{Text: "NodeLocalCRISocket", Since: 32, Removed: 37},
		{Text: "PublicKeysECDSA", Removed: 37},
		{Text: "RootlessControlPlane"},
		{Text: "UnversionedKubeletConfigMap", Removed: 26},
		{Text: "UpgradeAddonsBeforeControlPlane", Since: 28, Removed: 31},
		{Text: "WaitForAllControlPlaneComponents", Since: 30, Removed: 35},
	}
}
