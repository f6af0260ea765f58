package node

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// Volume is a host path that a control plane component mounts.
type Volume struct {
	Name string `json:"name"`
	// HostPath and MountPath are absolute.
	HostPath  string `json:"hostPath"`
	MountPath string `json:"mountPath"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
	// PathType is that of a HostPathVolumeSource, such as File or DirectoryOrCreate; empty means no check.
	PathType string `json:"pathType,omitempty"`
}

// Component is a control plane component.
type Component struct {
	Args    []Arg    `json:"extraArgs,omitempty"`
	Volumes []Volume `json:"extraVolumes,omitempty"`
	// Env needs Kubernetes 1.31 or newer.
	Env []Env `json:"extraEnvs,omitempty"`
}

// Audit configures the API server's audit log.
type Audit struct {
	// Policy is a Policy of audit.k8s.io/v1, YAML.
	Policy []byte `json:"policy"`
	// LogPath defaults to /var/log/kubernetes/audit/audit.log.
	LogPath string `json:"logPath,omitempty"`
	// MaxAgeDays, MaxBackups and MaxSizeMB bound the log; 0 means 30, 10 and 100.
	MaxAgeDays int `json:"maxAgeDays,omitempty"`
	MaxBackups int `json:"maxBackups,omitempty"`
	MaxSizeMB  int `json:"maxSizeMB,omitempty"`
}

// APIServer configures kube-apiserver. Each configuration file is written, mounted and passed by its flag.
type APIServer struct {
	Component `json:",inline"`
	// CertSANs are further names in the serving certificate.
	CertSANs []string `json:"certSANs,omitempty"`
	Audit    *Audit   `json:"audit,omitempty"`
	// EncryptionAtRest is an EncryptionConfiguration of apiserver.config.k8s.io/v1, YAML; it holds keys.
	EncryptionAtRest secret.Value `json:"encryptionAtRest,omitempty"`
	// AuthenticationWebhook is the kubeconfig of a token webhook.
	AuthenticationWebhook secret.Value `json:"authenticationWebhook,omitempty"`
	// Authentication is an AuthenticationConfiguration (structured authentication), YAML. Kubernetes 1.30 and newer.
	Authentication []byte `json:"authentication,omitempty"`
	// Authorization is an AuthorizationConfiguration, YAML. Kubernetes 1.30 and newer.
	Authorization []byte `json:"authorization,omitempty"`
	// Admission is an AdmissionConfiguration, YAML.
	Admission []byte `json:"admission,omitempty"`
}

// LocalEtcd is an etcd member on each control plane machine.
type LocalEtcd struct {
	ImageRepository string `json:"imageRepository,omitempty"`
	ImageTag        string `json:"imageTag,omitempty"`
	// DataDir defaults to /var/lib/etcd.
	DataDir        string   `json:"dataDir,omitempty"`
	Args           []Arg    `json:"extraArgs,omitempty"`
	Env            []Env    `json:"extraEnvs,omitempty"`
	ServerCertSANs []string `json:"serverCertSANs,omitempty"`
	PeerCertSANs   []string `json:"peerCertSANs,omitempty"`
}

// ExternalEtcd is an etcd cluster elsewhere.
type ExternalEtcd struct {
	// Endpoints are https URLs.
	Endpoints []string `json:"endpoints"`
	// CAFile, CertFile and KeyFile are paths on the machine; their contents arrive as certificates or files.
	CAFile   string `json:"caFile,omitempty"`
	CertFile string `json:"certFile,omitempty"`
	KeyFile  string `json:"keyFile,omitempty"`
}

// Addon is a cluster addon that kubeadm installs.
type Addon struct {
	// Disabled leaves the addon out.
	Disabled        bool   `json:"disabled,omitempty"`
	ImageRepository string `json:"imageRepository,omitempty"`
	ImageTag        string `json:"imageTag,omitempty"`
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
	Algorithm KeyAlgorithm `json:"algorithm,omitempty"`
	// ValidityDays and CAValidityDays default to 365 and 3650. Kubernetes 1.31 and newer.
	ValidityDays   int `json:"validityDays,omitempty"`
	CAValidityDays int `json:"caValidityDays,omitempty"`
}

// FeatureGate turns a feature of kubeadm's on or off.
type FeatureGate struct {
	Name    string `json:"name"`
	Enabled bool   `json:"enabled"`
}

// ControlPlaneConfig configures the components of a control plane node. Only the Init role writes all of it: further
// control plane machines read the rest from the cluster, but need the files.
type ControlPlaneConfig struct {
	APIServer         APIServer `json:"apiServer,omitempty"`
	ControllerManager Component `json:"controllerManager,omitempty"`
	Scheduler         Component `json:"scheduler,omitempty"`
	// SchedulerConfig is a KubeSchedulerConfiguration, YAML.
	SchedulerConfig []byte `json:"schedulerConfig,omitempty"`
	// LocalEtcd and ExternalEtcd exclude each other; neither means a local one with defaults.
	LocalEtcd    *LocalEtcd    `json:"localEtcd,omitempty"`
	ExternalEtcd *ExternalEtcd `json:"externalEtcd,omitempty"`
	KubeProxy    Addon         `json:"kubeProxy,omitempty"`
	// KubeProxyConfig is fields of a KubeProxyConfiguration.
	KubeProxyConfig Tree         `json:"kubeProxyConfig,omitempty"`
	CoreDNS         Addon        `json:"coreDNS,omitempty"`
	Certificates    Certificates `json:"certificates,omitempty"`
	// ImageRepository replaces registry.k8s.io.
	ImageRepository string        `json:"imageRepository,omitempty"`
	FeatureGates    []FeatureGate `json:"featureGates,omitempty"`
}

// Kind returns KindControlPlane.
func (ControlPlaneConfig) Kind() document.Kind { return KindControlPlane }
