package kubeadm

// The types of this file are those of kubeadm's configuration, versions v1beta3 and v1beta4, as far as they are used.
// What one of the versions lacks is left empty for it.

type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

type initConfiguration struct {
	typeMeta
	BootstrapTokens  []bootstrapToken `json:"bootstrapTokens,omitempty"`
	NodeRegistration nodeRegistration `json:"nodeRegistration"`
	LocalAPIEndpoint *apiEndpoint     `json:"localAPIEndpoint,omitempty"`
	SkipPhases       []string         `json:"skipPhases,omitempty"`
	Patches          *patches         `json:"patches,omitempty"`
	Timeouts         *timeouts        `json:"timeouts,omitempty"`
}

type bootstrapToken struct {
	Token       string   `json:"token"`
	Description string   `json:"description,omitempty"`
	TTL         string   `json:"ttl,omitempty"`
	Usages      []string `json:"usages,omitempty"`
	Groups      []string `json:"groups,omitempty"`
}

type joinConfiguration struct {
	typeMeta
	CACertPath       string            `json:"caCertPath,omitempty"`
	Discovery        discovery         `json:"discovery"`
	ControlPlane     *joinControlPlane `json:"controlPlane,omitempty"`
	NodeRegistration nodeRegistration  `json:"nodeRegistration"`
	SkipPhases       []string          `json:"skipPhases,omitempty"`
	Patches          *patches          `json:"patches,omitempty"`
	Timeouts         *timeouts         `json:"timeouts,omitempty"`
}

type nodeRegistration struct {
	Name      string `json:"name,omitempty"`
	CRISocket string `json:"criSocket,omitempty"`
	// Taints is nil for kubeadm's default taints, and an empty list for no taints.
	Taints *[]taint `json:"taints,omitempty"`
	// KubeletExtraArgs is []arg in v1beta4 and map[string]string in v1beta3.
	KubeletExtraArgs      any      `json:"kubeletExtraArgs,omitempty"`
	IgnorePreflightErrors []string `json:"ignorePreflightErrors,omitempty"`
	ImagePullPolicy       string   `json:"imagePullPolicy,omitempty"`
	ImagePullSerial       *bool    `json:"imagePullSerial,omitempty"`
}

type arg struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}

type apiEndpoint struct {
	AdvertiseAddress string `json:"advertiseAddress,omitempty"`
	BindPort         int    `json:"bindPort,omitempty"`
}

type joinControlPlane struct {
	LocalAPIEndpoint *apiEndpoint `json:"localAPIEndpoint,omitempty"`
}

type patches struct {
	Directory string `json:"directory"`
}

// timeouts holds durations such as 240s. v1beta4.
type timeouts struct {
	ControlPlaneComponentHealthCheck string `json:"controlPlaneComponentHealthCheck,omitempty"`
	KubeletHealthCheck               string `json:"kubeletHealthCheck,omitempty"`
	KubernetesAPICall                string `json:"kubernetesAPICall,omitempty"`
	EtcdAPICall                      string `json:"etcdAPICall,omitempty"`
	TLSBootstrap                     string `json:"tlsBootstrap,omitempty"`
	Discovery                        string `json:"discovery,omitempty"`
}

type discovery struct {
	BootstrapToken    *tokenDiscovery `json:"bootstrapToken,omitempty"`
	File              *fileDiscovery  `json:"file,omitempty"`
	TLSBootstrapToken string          `json:"tlsBootstrapToken,omitempty"`
	// Timeout exists in v1beta3 only.
	Timeout string `json:"timeout,omitempty"`
}

type tokenDiscovery struct {
	Token             string   `json:"token"`
	APIServerEndpoint string   `json:"apiServerEndpoint,omitempty"`
	CACertHashes      []string `json:"caCertHashes,omitempty"`

	UnsafeSkipCAVerification bool `json:"unsafeSkipCAVerification,omitempty"`
}

type fileDiscovery struct {
	KubeConfigPath string `json:"kubeConfigPath"`
}

type clusterConfiguration struct {
	typeMeta
	ClusterName                 string          `json:"clusterName,omitempty"`
	KubernetesVersion           string          `json:"kubernetesVersion"`
	ControlPlaneEndpoint        string          `json:"controlPlaneEndpoint,omitempty"`
	Networking                  networking      `json:"networking"`
	CertificatesDir             string          `json:"certificatesDir,omitempty"`
	ImageRepository             string          `json:"imageRepository,omitempty"`
	FeatureGates                map[string]bool `json:"featureGates,omitempty"`
	APIServer                   apiServer       `json:"apiServer"`
	ControllerManager           component       `json:"controllerManager"`
	Scheduler                   component       `json:"scheduler"`
	Etcd                        etcd            `json:"etcd"`
	DNS                         *dns            `json:"dns,omitempty"`
	Proxy                       *proxy          `json:"proxy,omitempty"`
	EncryptionAlgorithm         string          `json:"encryptionAlgorithm,omitempty"`
	CertificateValidityPeriod   string          `json:"certificateValidityPeriod,omitempty"`
	CACertificateValidityPeriod string          `json:"caCertificateValidityPeriod,omitempty"`
}

type networking struct {
	PodSubnet     string `json:"podSubnet,omitempty"`
	ServiceSubnet string `json:"serviceSubnet,omitempty"`
	DNSDomain     string `json:"dnsDomain,omitempty"`
}

type component struct {
	// ExtraArgs is []arg in v1beta4 and map[string]string in v1beta3.
	ExtraArgs    any         `json:"extraArgs,omitempty"`
	ExtraVolumes []hostMount `json:"extraVolumes,omitempty"`
	// ExtraEnvs exists in v1beta4 only.
	ExtraEnvs []arg `json:"extraEnvs,omitempty"`
}

type hostMount struct {
	Name      string `json:"name"`
	HostPath  string `json:"hostPath"`
	MountPath string `json:"mountPath"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
	PathType  string `json:"pathType,omitempty"`
}

type apiServer struct {
	component
	CertSANs []string `json:"certSANs,omitempty"`
	// TimeoutForControlPlane exists in v1beta3 only.
	TimeoutForControlPlane string `json:"timeoutForControlPlane,omitempty"`
}

type etcd struct {
	Local    *localEtcd    `json:"local,omitempty"`
	External *externalEtcd `json:"external,omitempty"`
}

type imageMeta struct {
	ImageRepository string `json:"imageRepository,omitempty"`
	ImageTag        string `json:"imageTag,omitempty"`
}

type localEtcd struct {
	imageMeta
	DataDir        string   `json:"dataDir,omitempty"`
	ExtraArgs      any      `json:"extraArgs,omitempty"`
	ExtraEnvs      []arg    `json:"extraEnvs,omitempty"`
	ServerCertSANs []string `json:"serverCertSANs,omitempty"`
	PeerCertSANs   []string `json:"peerCertSANs,omitempty"`
}

type externalEtcd struct {
	Endpoints []string `json:"endpoints"`
	CAFile    string   `json:"caFile"`
	CertFile  string   `json:"certFile"`
	KeyFile   string   `json:"keyFile"`
}

type dns struct {
	imageMeta
	Disabled bool `json:"disabled,omitempty"`
}

type proxy struct {
	Disabled bool `json:"disabled,omitempty"`
}
