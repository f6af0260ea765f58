package v1alpha1

// NodeConfig is what Kubernetes needs of the machine.
type NodeConfig struct {
	// Role is Init, ControlPlane or Worker.
	Role              string            `yaml:"role"`
	KubernetesVersion string            `yaml:"kubernetesVersion"`
	Cluster           Cluster           `yaml:"cluster,omitempty"`
	Discovery         *Discovery        `yaml:"discovery,omitempty"`
	Registration      Registration      `yaml:"registration,omitempty"`
	Kubelet           Kubelet           `yaml:"kubelet,omitempty"`
	AdvertiseAddress  Bytes             `yaml:"advertiseAddress,omitempty"`
	BindPort          int               `yaml:"bindPort,omitempty"`
	Certificates      []CertificateFile `yaml:"certificates,omitempty"`
	CertificatesDir   string            `yaml:"certificatesDir,omitempty"`
	Patches           []Patch           `yaml:"patches,omitempty"`
	SkipPhases        []string          `yaml:"skipPhases,omitempty"`
	Timeouts          Timeouts          `yaml:"timeouts,omitempty"`
	Verbosity         int               `yaml:"verbosity,omitempty"`
}

// Cluster is what a machine has to know of its cluster.
type Cluster struct {
	Name string `yaml:"name,omitempty"`
	// Endpoint is the control plane's host:port.
	Endpoint       string   `yaml:"endpoint,omitempty"`
	PodSubnets     []string `yaml:"podSubnets,omitempty"`
	ServiceSubnets []string `yaml:"serviceSubnets,omitempty"`
	DNSDomain      string   `yaml:"dnsDomain,omitempty"`
}

// Discovery is how a joining machine finds and trusts its cluster.
type Discovery struct {
	APIServerEndpoint string   `yaml:"apiServerEndpoint,omitempty"`
	Token             Bytes    `yaml:"token,omitempty"`
	CACertHashes      []string `yaml:"caCertHashes,omitempty"`
	Kubeconfig        Bytes    `yaml:"kubeconfig,omitempty"`
}

// Registration is how the node presents itself.
type Registration struct {
	Name   Bytes   `yaml:"name,omitempty"`
	Labels []Label `yaml:"labels,omitempty"`
	Taints []Taint `yaml:"taints,omitempty"`
	// TaintsSet says that taints replace the default ones, also when there are none.
	TaintsSet             bool     `yaml:"taintsSet,omitempty"`
	CRISocket             string   `yaml:"criSocket,omitempty"`
	IgnorePreflightErrors []string `yaml:"ignorePreflightErrors,omitempty"`
	ImagePullPolicy       string   `yaml:"imagePullPolicy,omitempty"`
	ImagePullSerial       *bool    `yaml:"imagePullSerial,omitempty"`
}

// Label is a label of the node.
type Label struct {
	Key   string `yaml:"key"`
	Value string `yaml:"value,omitempty"`
}

// Taint is a taint of the node.
type Taint struct {
	Key    string `yaml:"key"`
	Value  string `yaml:"value,omitempty"`
	Effect string `yaml:"effect"`
}

// Kubelet is kubelet's configuration.
type Kubelet struct {
	// Config is fields of a KubeletConfiguration.
	Config Tree  `yaml:"config,omitempty"`
	Args   []Arg `yaml:"extraArgs,omitempty"`
}

// Arg is an argument without its dashes.
type Arg struct {
	Name  string `yaml:"name"`
	Value Bytes  `yaml:"value,omitempty"`
}

// Env is an environment variable.
type Env struct {
	Name  string `yaml:"name"`
	Value string `yaml:"value,omitempty"`
}

// CertificateFile is a file of the cluster's public key infrastructure, relative to its directory.
type CertificateFile struct {
	Path    string `yaml:"path"`
	Content Bytes  `yaml:"content"`
	Private bool   `yaml:"private,omitempty"`
}

// Patch changes what kubeadm writes.
type Patch struct {
	Target  string `yaml:"target"`
	Type    string `yaml:"type,omitempty"`
	Content Bytes  `yaml:"content"`
}

// Timeouts are seconds; 0 is kubeadm's default.
type Timeouts struct {
	ControlPlaneComponentHealthCheck int `yaml:"controlPlaneComponentHealthCheckSeconds,omitempty"`
	KubeletHealthCheck               int `yaml:"kubeletHealthCheckSeconds,omitempty"`
	KubernetesAPICall                int `yaml:"kubernetesAPICallSeconds,omitempty"`
	EtcdAPICall                      int `yaml:"etcdAPICallSeconds,omitempty"`
	TLSBootstrap                     int `yaml:"tlsBootstrapSeconds,omitempty"`
	Discovery                        int `yaml:"discoverySeconds,omitempty"`
}

// StaticPod is a pod that kubelet runs by itself.
type StaticPod struct {
	Name     string `yaml:"name"`
	Manifest Bytes  `yaml:"manifest"`
}

// ControlPlaneConfig is the control plane's components.
type ControlPlaneConfig struct {
	APIServer         APIServer     `yaml:"apiServer,omitempty"`
	ControllerManager Component     `yaml:"controllerManager,omitempty"`
	Scheduler         Component     `yaml:"scheduler,omitempty"`
	SchedulerConfig   Bytes         `yaml:"schedulerConfig,omitempty"`
	LocalEtcd         *LocalEtcd    `yaml:"localEtcd,omitempty"`
	ExternalEtcd      *ExternalEtcd `yaml:"externalEtcd,omitempty"`
	KubeProxy         Addon         `yaml:"kubeProxy,omitempty"`
	KubeProxyConfig   Tree          `yaml:"kubeProxyConfig,omitempty"`
	CoreDNS           Addon         `yaml:"coreDNS,omitempty"`
	Certificates      Certificates  `yaml:"certificates,omitempty"`
	ImageRepository   string        `yaml:"imageRepository,omitempty"`
	FeatureGates      []FeatureGate `yaml:"featureGates,omitempty"`
}

// Component is a component of the control plane.
type Component struct {
	Args    []Arg    `yaml:"extraArgs,omitempty"`
	Volumes []Volume `yaml:"extraVolumes,omitempty"`
	Env     []Env    `yaml:"extraEnvs,omitempty"`
}

// Volume is a file or directory of the machine in a component's pod.
type Volume struct {
	Name      string `yaml:"name"`
	HostPath  string `yaml:"hostPath"`
	MountPath string `yaml:"mountPath"`
	ReadOnly  bool   `yaml:"readOnly,omitempty"`
	PathType  string `yaml:"pathType,omitempty"`
}

// APIServer is the API server.
type APIServer struct {
	Component             `yaml:",inline"`
	CertSANs              []string `yaml:"certSANs,omitempty"`
	Audit                 *Audit   `yaml:"audit,omitempty"`
	EncryptionAtRest      Bytes    `yaml:"encryptionAtRest,omitempty"`
	AuthenticationWebhook Bytes    `yaml:"authenticationWebhook,omitempty"`
	Authentication        Bytes    `yaml:"authentication,omitempty"`
	Authorization         Bytes    `yaml:"authorization,omitempty"`
	Admission             Bytes    `yaml:"admission,omitempty"`
}

// Audit is the API server's audit log.
type Audit struct {
	Policy     Bytes  `yaml:"policy"`
	LogPath    string `yaml:"logPath,omitempty"`
	MaxAgeDays int    `yaml:"maxAgeDays,omitempty"`
	MaxBackups int    `yaml:"maxBackups,omitempty"`
	MaxSizeMB  int    `yaml:"maxSizeMB,omitempty"`
}

// LocalEtcd is an etcd member on the machine.
type LocalEtcd struct {
	ImageRepository string   `yaml:"imageRepository,omitempty"`
	ImageTag        string   `yaml:"imageTag,omitempty"`
	DataDir         string   `yaml:"dataDir,omitempty"`
	Args            []Arg    `yaml:"extraArgs,omitempty"`
	Env             []Env    `yaml:"extraEnvs,omitempty"`
	ServerCertSANs  []string `yaml:"serverCertSANs,omitempty"`
	PeerCertSANs    []string `yaml:"peerCertSANs,omitempty"`
}

// ExternalEtcd is an etcd elsewhere.
type ExternalEtcd struct {
	Endpoints []string `yaml:"endpoints"`
	CAFile    string   `yaml:"caFile,omitempty"`
	CertFile  string   `yaml:"certFile,omitempty"`
	KeyFile   string   `yaml:"keyFile,omitempty"`
}

// Addon is kube-proxy or CoreDNS.
type Addon struct {
	Disabled        bool   `yaml:"disabled,omitempty"`
	ImageRepository string `yaml:"imageRepository,omitempty"`
	ImageTag        string `yaml:"imageTag,omitempty"`
}

// Certificates are how kubeadm makes certificates.
type Certificates struct {
	Algorithm      string `yaml:"algorithm,omitempty"`
	ValidityDays   int    `yaml:"validityDays,omitempty"`
	CAValidityDays int    `yaml:"caValidityDays,omitempty"`
}

// FeatureGate is a feature gate of kubeadm.
type FeatureGate struct {
	Name    string `yaml:"name"`
	Enabled bool   `yaml:"enabled"`
}

// KeyPair is PEM.
type KeyPair struct {
	Certificate Bytes `yaml:"certificate,omitempty"`
	Key         Bytes `yaml:"key,omitempty"`
}

// TalosSecrets is what the Talos machines of a cluster share.
type TalosSecrets struct {
	OSCA           KeyPair `yaml:"osCA"`
	TrustdToken    Bytes   `yaml:"trustdToken"`
	BootstrapToken Bytes   `yaml:"bootstrapToken"`
	ClusterID      string  `yaml:"clusterID"`
	ClusterSecret  Bytes   `yaml:"clusterSecret"`
	SecretboxKey   Bytes   `yaml:"secretboxKey"`
}
