// Package kubeadm expands NodeConfig and ControlPlaneConfig into kubeadm's configuration, the files that it needs, and
// the command that runs it.
//
// The configuration is of version v1beta3 for Kubernetes 1.28 to 1.30 and v1beta4 for 1.31 to 1.37; its types are this
// package's own. It is written as JSON, which is YAML with all strings in double quotes: no value changes its
// type, and a fact that is inserted on the machine is quoted, too.
//
// kubeadm join ignores a KubeletConfiguration in its configuration, so kubelet's configuration is a patch of kubeadm's,
// for every role.
package kubeadm

// The files and directories of this package.
const (
	// ConfigPath is kubeadm's configuration. It holds the token, so it is removed once kubeadm has succeeded.
	ConfigPath = "/etc/machineadm/kubeadm.yaml"
	// PatchDir holds kubeadm's patches; it is removed with the configuration.
	PatchDir = "/etc/machineadm/patches"
	// DiscoveryPath is the kubeconfig with which a machine without a token joins; it is removed with the configuration.
	DiscoveryPath = "/etc/machineadm/discovery.conf"
	// APIServerDir and SchedulerDir hold the configuration files of these components, which mount them.
	APIServerDir = "/etc/kubernetes/machineadm/kube-apiserver"
	SchedulerDir = "/etc/kubernetes/machineadm/kube-scheduler"

	defaultCertificatesDir = "/etc/kubernetes/pki"
	flexVolumeDir          = "/var/lib/kubelet/volumeplugins"
	defaultAuditLog        = "/var/log/kubernetes/audit/audit.log"
)
