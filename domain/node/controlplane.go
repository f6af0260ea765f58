package node

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// Volume is a host path that a control plane component mounts.
type Volume struct {
	Name string
	// HostPath and MountPath are absolute.
	HostPath, MountPath string
	ReadOnly            bool
	// PathType is that of a HostPathVolumeSource, such as File or DirectoryOrCreate; empty means no check.
	PathType string
}

// Component is a control plane component.
type Component struct {
	Args    []Arg
	Volumes []Volume
	// Env needs Kubernetes 1.31 or newer.
	Env []Env
}

// Audit configures the API server's audit log.
type Audit struct {
	// Policy is a Policy of audit.k8s.io/v1, YAML.
	Policy []byte
	// LogPath defaults to /var/log/kubernetes/audit/audit.log.
	LogPath string
	// MaxAgeDays, MaxBackups and MaxSizeMB bound the log; 0 means 30, 10 and 100.
	MaxAgeDays, MaxBackups, MaxSizeMB int
}

// APIServer configures kube-apiserver. Each configuration file is written, mounted and passed by its flag.
type APIServer struct {
	Component
	// CertSANs are further names in the serving certificate.
	CertSANs []string
	Audit    *Audit
	// EncryptionAtRest is an EncryptionConfiguration of apiserver.config.k8s.io/v1, YAML; it holds keys.
	EncryptionAtRest secret.Value
	// AuthenticationWebhook is the kubeconfig of a token webhook.
	AuthenticationWebhook secret.Value
	// Authentication is an AuthenticationConfiguration (structured authentication), YAML. Kubernetes 1.30 and newer.
	Authentication []byte
	// Authorization is an AuthorizationConfiguration, YAML. Kubernetes 1.30 and newer.
	Authorization []byte
	// Admission is an AdmissionConfiguration, YAML.
	Admission []byte
}

// LocalEtcd is an etcd member on each control plane machine.
type LocalEtcd struct {
	ImageRepository, ImageTag string
	// DataDir defaults to /var/lib/etcd.
	DataDir                      string
	Args                         []Arg
	Env                          []Env
	ServerCertSANs, PeerCertSANs []string
}

// ExternalEtcd is an etcd cluster elsewhere.
type ExternalEtcd struct {
	// Endpoints are https URLs.
	Endpoints []string
	// CAFile, CertFile and KeyFile are paths on the machine; their contents arrive as certificates or files.
	CAFile, CertFile, KeyFile string
}

// Addon is a cluster addon that kubeadm installs.
type Addon struct {
	// Disabled leaves the addon out.
	Disabled                  bool
	ImageRepository, ImageTag string
}

// KeyAlgorithm is how keys are made.
type KeyAlgorithm string

// The key algorithms. Empty means RSA-2048. Kubernetes 1.31 and newer.
const (
	RSA2048   KeyAlgorithm = "RSA-2048"
	RSA3072   KeyAlgorithm = "RSA-3072"
	RSA4096   KeyAlgorithm = "RSA-4096"
	ECDSAP256 KeyAlgorithm = "ECDSA-P256"
	ECDSAP384 KeyAlgorithm = "ECDSA-P384"
)

// Certificates says how certificates are made.
type Certificates struct {
	Algorithm KeyAlgorithm
	// ValidityDays and CAValidityDays default to 365 and 3650. Kubernetes 1.31 and newer.
	ValidityDays, CAValidityDays int
}

// FeatureGate turns a feature of kubeadm's on or off.
type FeatureGate struct {
	Name    string
	Enabled bool
}

// ControlPlaneConfig configures the components of a control plane node. Only the Init role writes all of it: further control
// plane machines read the rest from the cluster, but need the files.
type ControlPlaneConfig struct {
	APIServer         APIServer
	ControllerManager Component
	Scheduler         Component
	// SchedulerConfig is a KubeSchedulerConfiguration, YAML.
	SchedulerConfig []byte
	// LocalEtcd and ExternalEtcd exclude each other; neither means a local one with defaults.
	LocalEtcd    *LocalEtcd
	ExternalEtcd *ExternalEtcd
	KubeProxy    Addon
	// KubeProxyConfig is fields of a KubeProxyConfiguration.
	KubeProxyConfig Tree
	CoreDNS         Addon
	Certificates    Certificates
	// ImageRepository replaces registry.k8s.io.
	ImageRepository string
	FeatureGates    []FeatureGate
}

// Kind returns KindControlPlane.
func (ControlPlaneConfig) Kind() document.Kind { return KindControlPlane }
