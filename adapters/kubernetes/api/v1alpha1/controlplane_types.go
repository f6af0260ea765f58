package v1alpha1

import "k8s.io/apimachinery/pkg/runtime"

// ControlPlaneConfigSpec configures the components of a control plane node. The cluster gets the settings from its
// first machine. Further control plane machines read most of the settings from the cluster, but need the same files.
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
	// etcd configures etcd. The default is a member on each control plane node.
	// +optional
	Etcd *EtcdSpec `json:"etcd,omitempty"`
	// kubeProxy configures kube-proxy.
	// +optional
	KubeProxy *KubeProxySpec `json:"kubeProxy,omitempty"`
	// coreDNS configures CoreDNS.
	// +optional
	CoreDNS *AddonSpec `json:"coreDNS,omitempty"`
	// certificates configures the keys and the validity of certificates.
	// +optional
	Certificates *CertificatesSpec `json:"certificates,omitempty"`
	// imageRepository replaces registry.k8s.io for the images of the control plane.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	ImageRepository string `json:"imageRepository,omitempty"`
	// featureGates enables or disables features of kubeadm.
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// bootstrapTokens are tokens that the first machine creates in the cluster, in addition to those that the controller
	// creates for each machine. Other machines ignore them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	BootstrapTokens []InitTokenSpec `json:"bootstrapTokens,omitempty"`
	// virtualIP is an address of the API server that one control plane machine has at a time.
	// +optional
	VirtualIP *VirtualIPSpec `json:"virtualIP,omitempty"`
	// staticPods are additional static Pods.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	StaticPods []StaticPodSpec `json:"staticPods,omitempty"`
}

// VirtualIPSpec configures an address of the API server that one control plane machine has at a time. If the machine
// fails, another one takes over the address. A static Pod of kube-vip announces it; Talos announces it itself.
type VirtualIPSpec struct {
	// address is an unused IP address of the machines' network, the same as spec.controlPlaneEndpoint.host of the Cluster.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=45
	Address string `json:"address,omitempty"`
	// interface is the network interface that receives the address on all control plane machines. The default is that of
	// the default route. Talos requires it. With BGP it is required, and its address is the router ID.
	// +optional
	// +kubebuilder:validation:MaxLength=15
	Interface string `json:"interface,omitempty"`
	// bgp announces the address to routers. By default it is announced to the local network, with ARP or NDP.
	// +optional
	BGP *VirtualIPBGPSpec `json:"bgp,omitempty"`
	// image is the image of kube-vip. The default is ghcr.io/kube-vip/kube-vip:v0.9.1.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image,omitempty"`
}

// VirtualIPBGPSpec configures the announcement to routers.
type VirtualIPBGPSpec struct {
	// asn is the number of the autonomous system of the machines.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=4294967295
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ASN int64 `json:"asn,omitempty"`
	// peers are the routers.
	// +required
	// +listType=map
	// +listMapKey=address
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Peers []BGPPeerSpec `json:"peers,omitempty"`
}

// BGPPeerSpec is a router.
type BGPPeerSpec struct {
	// address is the IP address of the router.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=45
	Address string `json:"address,omitempty"`
	// asn is the number of its autonomous system.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=4294967295
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ASN int64 `json:"asn,omitempty"`
}

// ComponentSpec configures a control plane component.
type ComponentSpec struct {
	// extraArgs are command-line arguments. A name can occur several times.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	ExtraArgs []Arg `json:"extraArgs,omitempty"`
	// extraVolumes are paths of the machine to mount into the component's Pod.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	ExtraVolumes []Volume `json:"extraVolumes,omitempty"`
	// extraEnvs are environment variables. They require Kubernetes 1.31 or newer.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	ExtraEnvs []EnvVar `json:"extraEnvs,omitempty"`
}

// Arg is a command-line argument of a component.
type Arg struct {
	// name is the name of the argument without its leading dashes.
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
	// name is the name of the volume.
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
	// readOnly mounts the path read-only. The default is false.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty"`
	// pathType is the type of a hostPath volume, such as DirectoryOrCreate. By default kubelet does not check hostPath.
	// +optional
	// +kubebuilder:validation:Enum=DirectoryOrCreate;Directory;FileOrCreate;File;Socket;CharDevice;BlockDevice
	PathType string `json:"pathType,omitempty"`
}

// APIServerSpec configures kube-apiserver. The configuration files are written to the machine, mounted, and passed by
// their flags.
type APIServerSpec struct {
	ComponentSpec `json:",inline"`
	// certSANs are additional names and addresses in the serving certificate.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	CertSANs []string `json:"certSANs,omitempty"`
	// audit enables the audit log.
	// +optional
	Audit *AuditSpec `json:"audit,omitempty"`
	// encryptionAtRest is an EncryptionConfiguration (apiserver.config.k8s.io/v1). It contains keys.
	// +optional
	EncryptionAtRest *SecretSource `json:"encryptionAtRest,omitempty"`
	// authenticationWebhook is the kubeconfig of a webhook that authenticates tokens.
	// +optional
	AuthenticationWebhook *SecretSource `json:"authenticationWebhook,omitempty"`
	// authentication is an AuthenticationConfiguration (structured authentication). It requires Kubernetes 1.30 or newer.
	// +optional
	Authentication *Content `json:"authentication,omitempty"`
	// authorization is an AuthorizationConfiguration (structured authorization). It requires Kubernetes 1.30 or newer.
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
	// logPath is the path of the log file. The default is /var/log/kubernetes/audit/audit.log.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	LogPath string `json:"logPath,omitempty"`
	// maxAgeDays is the number of days to keep old logs. The default is 30.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MaxAgeDays int32 `json:"maxAgeDays,omitempty"`
	// maxBackups is the number of old logs to keep. The default is 10.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MaxBackups int32 `json:"maxBackups,omitempty"`
	// maxSizeMB is the maximum size of a log in megabytes. The default is 100.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MaxSizeMB int32 `json:"maxSizeMB,omitempty"`
}

// SchedulerSpec configures kube-scheduler.
type SchedulerSpec struct {
	ComponentSpec `json:",inline"`
	// config is a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1).
	// +optional
	Config *Content `json:"config,omitempty"`
}

// EtcdSpec configures etcd.
//
// +kubebuilder:validation:ExactlyOneOf=local;external
type EtcdSpec struct {
	// local configures the members on the control plane nodes.
	// +optional
	Local *LocalEtcdSpec `json:"local,omitempty"`
	// external connects the cluster to an existing etcd cluster.
	// +optional
	External *ExternalEtcdSpec `json:"external,omitempty"`
}

// LocalEtcdSpec configures the etcd member on a control plane node.
type LocalEtcdSpec struct {
	// imageRepository is the repository of the etcd image. The default is kubeadm's.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	ImageRepository string `json:"imageRepository,omitempty"`
	// imageTag is the tag of the etcd image. The default is kubeadm's.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	ImageTag string `json:"imageTag,omitempty"`
	// dataDir is the member's data directory. The default is /var/lib/etcd.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	DataDir string `json:"dataDir,omitempty"`
	// extraArgs are command-line arguments. A name can occur several times.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=100
	ExtraArgs []Arg `json:"extraArgs,omitempty"`
	// extraEnvs are environment variables. They require Kubernetes 1.31 or newer.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	ExtraEnvs []EnvVar `json:"extraEnvs,omitempty"`
	// serverCertSANs are additional names in the certificate for clients.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	ServerCertSANs []string `json:"serverCertSANs,omitempty"`
	// peerCertSANs are additional names in the certificate for peers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	PeerCertSANs []string `json:"peerCertSANs,omitempty"`
}

// ExternalEtcdSpec connects the cluster to an existing etcd cluster. The CA and the client's certificate and key come
// from the certificate Secrets of the cluster, or from files on the machine.
type ExternalEtcdSpec struct {
	// endpoints are the URLs of the members.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:items:MaxLength=512
	// +kubebuilder:validation:items:Pattern=`^https?://`
	Endpoints []string `json:"endpoints,omitempty"`
	// caFile is the path of the CA certificate on the machine.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CAFile string `json:"caFile,omitempty"`
	// certFile is the path of the client certificate on the machine.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	CertFile string `json:"certFile,omitempty"`
	// keyFile is the path of the client key on the machine.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	KeyFile string `json:"keyFile,omitempty"`
}

// AddonSpec configures a cluster addon.
type AddonSpec struct {
	// disabled skips the addon. The default is false.
	// +optional
	Disabled bool `json:"disabled,omitempty"`
	// imageRepository is the repository of the addon's image. The default is kubeadm's.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	ImageRepository string `json:"imageRepository,omitempty"`
	// imageTag is the tag of the addon's image. The default is kubeadm's.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	ImageTag string `json:"imageTag,omitempty"`
}

// KubeProxySpec configures kube-proxy. The cluster's version determines its image.
type KubeProxySpec struct {
	// disabled skips kube-proxy. The default is false.
	// +optional
	Disabled bool `json:"disabled,omitempty"`
	// config contains fields of a KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1) without apiVersion and kind.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	Config *runtime.RawExtension `json:"config,omitempty"`
}

// CertificatesSpec configures the keys and the validity of certificates. It requires Kubernetes 1.31 or newer.
type CertificatesSpec struct {
	// algorithm is the algorithm of keys. The default is RSA-2048.
	// +optional
	// +kubebuilder:validation:Enum=RSA-2048;RSA-3072;RSA-4096;ECDSA-P256;ECDSA-P384
	Algorithm string `json:"algorithm,omitempty"`
	// validityDays is the validity of certificates in days. The default is 365.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ValidityDays int32 `json:"validityDays,omitempty"`
	// caValidityDays is the validity of CA certificates in days. The default is 3650.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	CAValidityDays int32 `json:"caValidityDays,omitempty"`
}
