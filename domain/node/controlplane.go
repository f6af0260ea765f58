package node

import (
	"cmp"
	"path"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// Volume is a host path that a control plane component mounts.
type Volume struct {
	// Name is the name of the volume in the Pod.
	Name string `json:"name"`
	// HostPath is the absolute path on the machine.
	HostPath string `json:"hostPath"`
	// MountPath is the absolute path in the container.
	MountPath string `json:"mountPath"`
	// ReadOnly mounts the volume read-only.
	ReadOnly bool `json:"readOnly,omitempty"`
	// PathType is the type of the HostPathVolumeSource, such as File or DirectoryOrCreate. Default: not checked.
	PathType string `json:"pathType,omitempty"`
}

// Component is a control plane component.
type Component struct {
	// Args are arguments of the component, for settings without a field.
	Args []Arg `json:"extraArgs,omitempty"`
	// Volumes are host paths that the component mounts.
	Volumes []Volume `json:"extraVolumes,omitempty"`
	// Env are environment variables of the component. They require Kubernetes 1.31 or newer.
	Env []Env `json:"extraEnvs,omitempty"`
}

// Audit configures the API server's audit log.
type Audit struct {
	// Policy is a Policy of audit.k8s.io/v1, in YAML.
	Policy []byte `json:"policy"`
	// LogPath is the log file. Default: /var/log/kubernetes/audit/audit.log.
	LogPath string `json:"logPath,omitempty"`
	// MaxAgeDays is the number of days to keep a rotated file. Default: 30.
	MaxAgeDays int `json:"maxAgeDays,omitempty"`
	// MaxBackups is the number of rotated files to keep. Default: 10.
	MaxBackups int `json:"maxBackups,omitempty"`
	// MaxSizeMB is the size in MB at which the file is rotated. Default: 100.
	MaxSizeMB int `json:"maxSizeMB,omitempty"`
}

// APIServer configures kube-apiserver. Each configuration file is written to the machine, mounted into the Pod and
// passed with its flag.
type APIServer struct {
	Component `json:",inline"`
	// CertSANs are further names and addresses in the serving certificate.
	CertSANs []string `json:"certSANs,omitempty"`
	// Audit configures the audit log. Default: no audit log.
	Audit *Audit `json:"audit,omitempty"`
	// EncryptionAtRest is an EncryptionConfiguration of apiserver.config.k8s.io/v1, in YAML. It contains keys.
	EncryptionAtRest secret.Value `json:"encryptionAtRest,omitempty"`
	// AuthenticationWebhook is the kubeconfig of a webhook for token authentication.
	AuthenticationWebhook secret.Value `json:"authenticationWebhook,omitempty"`
	// Authentication is an AuthenticationConfiguration (structured authentication), in YAML. It requires Kubernetes 1.30
	// or newer.
	Authentication []byte `json:"authentication,omitempty"`
	// Authorization is an AuthorizationConfiguration, in YAML. It requires Kubernetes 1.30 or newer.
	Authorization []byte `json:"authorization,omitempty"`
	// Admission is an AdmissionConfiguration, in YAML.
	Admission []byte `json:"admission,omitempty"`
}

// LocalEtcd configures an etcd member on each control plane machine.
type LocalEtcd struct {
	// ImageRepository is the registry and path of the etcd image. Default: that of the control plane images.
	ImageRepository string `json:"imageRepository,omitempty"`
	// ImageTag is the tag of the etcd image. Default: kubeadm's.
	ImageTag string `json:"imageTag,omitempty"`
	// DataDir is the data directory. Default: /var/lib/etcd.
	DataDir string `json:"dataDir,omitempty"`
	// Args are arguments of etcd.
	Args []Arg `json:"extraArgs,omitempty"`
	// Env are environment variables of etcd. They require Kubernetes 1.31 or newer.
	Env []Env `json:"extraEnvs,omitempty"`
	// ServerCertSANs are further names and addresses in the server certificate.
	ServerCertSANs []string `json:"serverCertSANs,omitempty"`
	// PeerCertSANs are further names and addresses in the peer certificate.
	PeerCertSANs []string `json:"peerCertSANs,omitempty"`
}

// ExternalEtcd configures an etcd cluster that runs on other machines.
type ExternalEtcd struct {
	// Endpoints are https URLs.
	Endpoints []string `json:"endpoints"`
	// CAFile is the path of the CA certificate on the machine. Default: etcd/ca.crt in the directory of certificates.
	CAFile string `json:"caFile,omitempty"`
	// CertFile is the path of the client certificate. Default: apiserver-etcd-client.crt in that directory.
	CertFile string `json:"certFile,omitempty"`
	// KeyFile is the path of the client key. Default: apiserver-etcd-client.key in that directory.
	KeyFile string `json:"keyFile,omitempty"`
}

// Addon is a cluster addon that kubeadm installs.
type Addon struct {
	// Disabled omits the addon. Default: installed.
	Disabled bool `json:"disabled,omitempty"`
	// ImageRepository is the registry and path of the image. Default: that of the control plane images.
	ImageRepository string `json:"imageRepository,omitempty"`
	// ImageTag is the tag of the image. Default: kubeadm's.
	ImageTag string `json:"imageTag,omitempty"`
}

// KeyAlgorithm is an algorithm and key size of private keys.
type KeyAlgorithm string

// The key algorithms. Empty means RSA-2048. All others require Kubernetes 1.31 or newer.
const (
	RSA2048   KeyAlgorithm = "RSA-2048"
	RSA3072   KeyAlgorithm = "RSA-3072"
	RSA4096   KeyAlgorithm = "RSA-4096"
	ECDSAP256 KeyAlgorithm = "ECDSA-P256"
	ECDSAP384 KeyAlgorithm = "ECDSA-P384"
)

// Certificates configures the certificates that kubeadm creates.
type Certificates struct {
	// Algorithm is RSA-2048, RSA-3072, RSA-4096, ECDSA-P256 or ECDSA-P384. Default: RSA-2048.
	Algorithm KeyAlgorithm `json:"algorithm,omitempty"`
	// ValidityDays is the validity of leaf certificates. Default: 365. It requires Kubernetes 1.31 or newer.
	ValidityDays int `json:"validityDays,omitempty"`
	// CAValidityDays is the validity of CA certificates. Default: 3650. It requires Kubernetes 1.31 or newer.
	CAValidityDays int `json:"caValidityDays,omitempty"`
}

// FeatureGate enables or disables a feature of kubeadm.
type FeatureGate struct {
	// Name is the name of a feature gate of kubeadm.
	Name string `json:"name"`
	// Enabled enables or disables the feature.
	Enabled bool `json:"enabled"`
}

// The usages of bootstrap tokens.
const (
	UsageSigning        = "signing"
	UsageAuthentication = "authentication"
)

// InitToken is a bootstrap token that kubeadm init creates in the cluster.
type InitToken struct {
	// Token is six lower-case letters and digits, a dot, and sixteen more.
	Token secret.Value `json:"token"`
	// Description describes the purpose of the token.
	Description string `json:"description,omitempty"`
	// TTLSeconds is the validity of the token in seconds; 0 means that it does not expire. Default: 86400.
	TTLSeconds *int `json:"ttlSeconds,omitempty"`
	// Usages are signing and authentication. Default: both. kubeadm refuses a token without authentication.
	Usages []string `json:"usages,omitempty"`
	// Groups are the groups of a client with this token. Default: system:bootstrappers:kubeadm:default-node-token.
	Groups []string `json:"groups,omitempty"`
}

// ControlPlaneConfig configures the components of a control plane node. The machine with the role Init uses all fields.
// Further control plane machines read most settings from the cluster, and use only the fields that become files.
type ControlPlaneConfig struct {
	// APIServer configures kube-apiserver.
	APIServer APIServer `json:"apiServer,omitempty"`
	// ControllerManager configures kube-controller-manager.
	ControllerManager Component `json:"controllerManager,omitempty"`
	// Scheduler configures kube-scheduler.
	Scheduler Component `json:"scheduler,omitempty"`
	// SchedulerConfig is a KubeSchedulerConfiguration, in YAML.
	SchedulerConfig []byte `json:"schedulerConfig,omitempty"`
	// LocalEtcd configures the etcd member on each control plane machine. This is the default; it excludes ExternalEtcd.
	LocalEtcd *LocalEtcd `json:"localEtcd,omitempty"`
	// ExternalEtcd configures an etcd cluster on other machines. It excludes LocalEtcd.
	ExternalEtcd *ExternalEtcd `json:"externalEtcd,omitempty"`
	// KubeProxy configures the addon kube-proxy.
	KubeProxy Addon `json:"kubeProxy,omitempty"`
	// KubeProxyConfig contains fields of a KubeProxyConfiguration.
	KubeProxyConfig Tree `json:"kubeProxyConfig,omitempty"`
	// CoreDNS configures the addon CoreDNS.
	CoreDNS Addon `json:"coreDNS,omitempty"`
	// Certificates configures the certificates that kubeadm creates.
	Certificates Certificates `json:"certificates,omitempty"`
	// ImageRepository is the registry and path of the control plane images. Default: registry.k8s.io.
	ImageRepository string `json:"imageRepository,omitempty"`
	// FeatureGates enable or disable features of kubeadm.
	FeatureGates []FeatureGate `json:"featureGates,omitempty"`
	// BootstrapTokens are created by the machine with the role Init.
	BootstrapTokens []InitToken `json:"bootstrapTokens,omitempty"`
}

// officialRepository is the default of ControlPlaneConfig.ImageRepository.
const officialRepository = "registry.k8s.io"

// CoreDNSRepository returns the repository of CoreDNS's image. It is CoreDNS.ImageRepository or else ImageRepository,
// without a slash at the end, and empty if neither is set. In the official registry, the image is below coredns.
// kubeadm has the same rule (GetDNSImage).
func (c ControlPlaneConfig) CoreDNSRepository() string {
	repository := strings.TrimSuffix(cmp.Or(c.CoreDNS.ImageRepository, c.ImageRepository), "/")
	if repository == officialRepository {
		return officialRepository + "/coredns"
	}
	return repository
}

// Kind returns KindControlPlane.
func (ControlPlaneConfig) Kind() document.Kind { return KindControlPlane }

// WithEtcdFiles returns the settings with the paths of an external etcd's files that the user does not set. machineadm
// writes these files to the directory of certificates. Default: /etc/kubernetes/pki.
func (c ControlPlaneConfig) WithEtcdFiles(certificatesDir string) ControlPlaneConfig {
	if c.ExternalEtcd == nil {
		return c
	}
	dir, e := cmp.Or(certificatesDir, "/etc/kubernetes/pki"), *c.ExternalEtcd
	e.CAFile = cmp.Or(e.CAFile, path.Join(dir, "etcd", "ca.crt"))
	if e.CertFile == "" {
		e.CertFile, e.KeyFile = path.Join(dir, "apiserver-etcd-client.crt"), path.Join(dir, "apiserver-etcd-client.key")
	}
	c.ExternalEtcd = &e
	return c
}
