// Package kubeadm expands NodeConfig and ControlPlaneConfig into kubeadm's configuration, the files that it needs, and
// the command that runs it.
//
// The configuration is of version v1beta3 for Kubernetes 1.28 to 1.30 and v1beta4 for 1.31 to 1.37; its types are
// defined in this package. It is written as JSON, which is YAML with all strings in double quotes. So no value changes
// its type, and facts that are inserted on the machine are quoted, too.
//
// kubeadm join ignores a KubeletConfiguration in its configuration, and kubeadm init stores it as the default of all
// machines. So kubelet's configuration is a patch of kubeadm's, for every role.
package kubeadm

// The files and directories of this package.
const (
	// ConfigPath is the path of kubeadm's configuration. It contains the token, so it is removed after kubeadm has
	// succeeded.
	ConfigPath = "/etc/machineadm/kubeadm.yaml"
	// PatchDir contains kubeadm's patches. It is removed with the configuration.
	PatchDir = "/etc/machineadm/patches"
	// AnnotationsPath is the path of the patch with the Node's annotations.
	AnnotationsPath = "/etc/machineadm/annotations.json"
	// DiscoveryPath is the path of the kubeconfig with which a machine joins without a token. It is removed with the
	// configuration.
	DiscoveryPath = "/etc/machineadm/discovery.conf"
	// APIServerDir and SchedulerDir contain the configuration files of these components, which mount the directories.
	APIServerDir = "/etc/kubernetes/machineadm/kube-apiserver"
	SchedulerDir = "/etc/kubernetes/machineadm/kube-scheduler"

	defaultCertificatesDir = "/etc/kubernetes/pki"
	flexVolumeDir          = "/var/lib/kubelet/volumeplugins"
	etcdDataDir            = "/var/lib/etcd"
	defaultAuditLog        = "/var/log/kubernetes/audit/audit.log"
)
