package v1alpha1

import "k8s.io/apimachinery/pkg/runtime"

// ControlPlaneConfigSpec configures the components of a control plane node. The first machine of a cluster says it to
// the cluster; further ones read most of it from there, but have the same files.
type ControlPlaneConfigSpec struct {
	// apiServer configures kube-apiserver.
	// +optional
	APIServer *APIServerSpec `json:"apiServer,omitempty"`
	// controllerManager configures kube-controller-manager.
	// +optional
	ControllerManager *ComponentSpec `json:"controllerManager,omitempty"`
	// scheduler configures kube-scheduler.
	// +optional
	Scheduler *SchedulerSpec `json:"scheduler,omitempty"`
	// etcd says where the cluster keeps its state. Without it, each control plane node has a member.
	// +optional
	Etcd *EtcdSpec `json:"etcd,omitempty"`
	// kubeProxy configures kube-proxy.
	// +optional
	KubeProxy *KubeProxySpec `json:"kubeProxy,omitempty"`
	// coreDNS configures CoreDNS.
	// +optional
	CoreDNS *AddonSpec `json:"coreDNS,omitempty"`
	// certificates says how certificates are made.
	// +optional
	Certificates *CertificatesSpec `json:"certificates,omitempty"`
	// imageRepository replaces registry.k8s.io for the control plane's images.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	ImageRepository string `json:"imageRepository,omitempty"`
	// featureGates turn features of kubeadm's on or off.
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// staticPods are further pods that kubelet runs by itself.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	StaticPods []StaticPodSpec `json:"staticPods,omitempty"`
}

// ComponentSpec configures a control plane component.
type ComponentSpec struct {
	// extraArgs are command-line arguments. A name may stand several times.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	ExtraArgs []Arg `json:"extraArgs,omitempty"`
	// extraVolumes are paths of the machine that the component mounts.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	ExtraVolumes []Volume `json:"extraVolumes,omitempty"`
	// extraEnvs are environment variables. Kubernetes 1.31 and newer.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	ExtraEnvs []EnvVar `json:"extraEnvs,omitempty"`
}

// Arg is one argument of a component.
type Arg struct {
	// name is the argument without its leading dashes.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name,omitempty"`
	// value is the argument's value.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Value string `json:"value,omitempty"`
}

// EnvVar is an environment variable.
type EnvVar struct {
	// name is the variable's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name,omitempty"`
	// value is the variable's value.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Value string `json:"value,omitempty"`
}

// Volume is a path of the machine that a component mounts.
type Volume struct {
	// name is the volume's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
	// hostPath is the path on the machine.
	// +required
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	HostPath string `json:"hostPath,omitempty"`
	// mountPath is the path inside the component's container.
	// +required
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	MountPath string `json:"mountPath,omitempty"`
	// readOnly keeps the component from writing.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty"`
	// pathType says what has to be at hostPath.
	// +optional
	// +kubebuilder:validation:Enum=DirectoryOrCreate;Directory;FileOrCreate;File;Socket;CharDevice;BlockDevice
	PathType string `json:"pathType,omitempty"`
}

// APIServerSpec configures kube-apiserver. Each configuration file is written, mounted and passed by its flag.
type APIServerSpec struct {
	ComponentSpec `json:",inline"`
	// certSANs are further names and addresses in the serving certificate.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	CertSANs []string `json:"certSANs,omitempty"`
	// audit writes an audit log.
	// +optional
	Audit *AuditSpec `json:"audit,omitempty"`
	// encryptionAtRest is an EncryptionConfiguration (apiserver.config.k8s.io/v1). It holds keys.
	// +optional
	EncryptionAtRest *SecretSource `json:"encryptionAtRest,omitempty"`
	// authenticationWebhook is the kubeconfig of a webhook that checks tokens.
	// +optional
	AuthenticationWebhook *SecretSource `json:"authenticationWebhook,omitempty"`
	// authentication is an AuthenticationConfiguration (structured authentication). Kubernetes 1.30 and newer.
	// +optional
	Authentication *Content `json:"authentication,omitempty"`
	// authorization is an AuthorizationConfiguration (structured authorization). Kubernetes 1.30 and newer.
	// +optional
	Authorization *Content `json:"authorization,omitempty"`
	// admission is an AdmissionConfiguration (apiserver.config.k8s.io/v1).
	// +optional
	Admission *Content `json:"admission,omitempty"`
}

// AuditSpec configures the audit log.
type AuditSpec struct {
	// policy is a Policy (audit.k8s.io/v1).
	// +required
	Policy Content `json:"policy,omitzero"`
	// logPath is the log's file. Without it, it is /var/log/kubernetes/audit/audit.log.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	LogPath string `json:"logPath,omitempty"`
	// maxAgeDays is how long old logs are kept. Without it, it is 30.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxAgeDays int32 `json:"maxAgeDays,omitempty"`
	// maxBackups is how many old logs are kept. Without it, it is 10.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxBackups int32 `json:"maxBackups,omitempty"`
	// maxSizeMB is how large a log grows, in megabytes. Without it, it is 100.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxSizeMB int32 `json:"maxSizeMB,omitempty"`
}

// SchedulerSpec configures kube-scheduler.
type SchedulerSpec struct {
	ComponentSpec `json:",inline"`
	// config is a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1).
	// +optional
	Config *Content `json:"config,omitempty"`
}

// EtcdSpec says where the cluster keeps its state.
//
// +kubebuilder:validation:ExactlyOneOf=local;external
type EtcdSpec struct {
	// local is a member on each control plane node.
	// +optional
	Local *LocalEtcdSpec `json:"local,omitempty"`
	// external is an etcd cluster elsewhere.
	// +optional
	External *ExternalEtcdSpec `json:"external,omitempty"`
}

// LocalEtcdSpec is a member of etcd on each control plane node.
type LocalEtcdSpec struct {
	// imageRepository replaces the repository of etcd's image.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	ImageRepository string `json:"imageRepository,omitempty"`
	// imageTag replaces the tag of etcd's image.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	ImageTag string `json:"imageTag,omitempty"`
	// dataDir is where the member keeps its data. Without it, it is /var/lib/etcd.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	DataDir string `json:"dataDir,omitempty"`
	// extraArgs are command-line arguments. A name may stand several times.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	ExtraArgs []Arg `json:"extraArgs,omitempty"`
	// extraEnvs are environment variables. Kubernetes 1.31 and newer.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	ExtraEnvs []EnvVar `json:"extraEnvs,omitempty"`
	// serverCertSANs are further names in the certificate for clients.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	ServerCertSANs []string `json:"serverCertSANs,omitempty"`
	// peerCertSANs are further names in the certificate for peers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	PeerCertSANs []string `json:"peerCertSANs,omitempty"`
}

// ExternalEtcdSpec is an etcd cluster elsewhere. Its CA and the client's certificate and key come from the cluster's
// certificate Secrets, or from files.
type ExternalEtcdSpec struct {
	// endpoints are the members' URLs.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=512
	// +kubebuilder:validation:items:Pattern=`^https?://`
	Endpoints []string `json:"endpoints,omitempty"`
	// caFile is the path of the CA on the machine.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CAFile string `json:"caFile,omitempty"`
	// certFile is the path of the client's certificate on the machine.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CertFile string `json:"certFile,omitempty"`
	// keyFile is the path of the client's key on the machine.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	KeyFile string `json:"keyFile,omitempty"`
}

// AddonSpec configures an addon of the cluster.
type AddonSpec struct {
	// disabled leaves the addon out.
	// +optional
	Disabled bool `json:"disabled,omitempty"`
	// imageRepository replaces the repository of the addon's image.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	ImageRepository string `json:"imageRepository,omitempty"`
	// imageTag replaces the tag of the addon's image.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	ImageTag string `json:"imageTag,omitempty"`
}

// KubeProxySpec configures kube-proxy. Its image is that of the cluster's version.
type KubeProxySpec struct {
	// disabled leaves kube-proxy out.
	// +optional
	Disabled bool `json:"disabled,omitempty"`
	// config is fields of a KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1), without apiVersion and kind.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	Config *runtime.RawExtension `json:"config,omitempty"`
}

// CertificatesSpec says how certificates are made. Kubernetes 1.31 and newer.
type CertificatesSpec struct {
	// algorithm is how keys are made. Without it, it is RSA-2048.
	// +optional
	// +kubebuilder:validation:Enum=RSA-2048;RSA-3072;RSA-4096;ECDSA-P256;ECDSA-P384
	Algorithm string `json:"algorithm,omitempty"`
	// validityDays is how long a certificate is valid. Without it, it is 365.
	// +optional
	// +kubebuilder:validation:Minimum=1
	ValidityDays int32 `json:"validityDays,omitempty"`
	// caValidityDays is how long a CA is valid. Without it, it is 3650.
	// +optional
	// +kubebuilder:validation:Minimum=1
	CAValidityDays int32 `json:"caValidityDays,omitempty"`
}
