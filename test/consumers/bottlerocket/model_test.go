// Package bottlerocket_test has each golden of the format bottlerocket read as Bottlerocket reads it: the settings
// models are written down here a second time, as the types that they are, and nothing is taken from the renderer's own
// table. Bottlerocket refuses unknown keys, and so does this reader.
//
// Source: bottlerocket-settings-sdk, bottlerocket-settings-models 0.1.0 to 0.28.0: each setting here is in all of them,
// but for those that are marked.
package bottlerocket_test

// userData is the document.
type userData struct {
	Settings settings `json:"settings"`
}

type settings struct {
	Motd                *string                      `json:"motd"`
	Kubernetes          *kubernetes                  `json:"kubernetes"`
	NTP                 *ntp                         `json:"ntp"`
	Kernel              *kernel                      `json:"kernel"`
	Network             *network                     `json:"network"`
	PKI                 map[identifier]certificate   `json:"pki"`
	ContainerRegistry   *registries                  `json:"container-registry"`
	HostContainers      map[identifier]hostContainer `json:"host-containers"`
	BootstrapContainers map[identifier]bootstrap     `json:"bootstrap-containers"`
	Boot                *struct {
		KernelParameters  map[bootKey][]bootValue `json:"kernel-parameters"`
		RebootToReconcile *bool                   `json:"reboot-to-reconcile"`
	} `json:"boot"`
}

type kubernetes struct {
	ClusterName               *clusterName              `json:"cluster-name"`
	ClusterCertificate        *validBase64              `json:"cluster-certificate"`
	APIServer                 *address                  `json:"api-server"`
	NodeLabels                map[labelKey]labelValue   `json:"node-labels"`
	NodeTaints                map[labelKey][]taint      `json:"node-taints"`
	StaticPods                map[identifier]staticPod  `json:"static-pods"`
	AuthenticationMode        *authenticationMode       `json:"authentication-mode"`
	BootstrapToken            *bootstrapToken           `json:"bootstrap-token"`
	EvictionHard              map[evictionKey]threshold `json:"eviction-hard"`
	EvictionSoft              map[evictionKey]threshold `json:"eviction-soft"`
	EvictionSoftGracePeriod   map[evictionKey]duration  `json:"eviction-soft-grace-period"`
	EvictionMaxPodGracePeriod *int32                    `json:"eviction-max-pod-grace-period"`
	KubeReserved              map[resource]quantity     `json:"kube-reserved"`
	SystemReserved            map[resource]quantity     `json:"system-reserved"`
	AllowedUnsafeSysctls      []singleLine              `json:"allowed-unsafe-sysctls"`
	ServerTLSBootstrap        *bool                     `json:"server-tls-bootstrap"`
	CloudProvider             *cloudProvider            `json:"cloud-provider"`
	RegistryQPS               *int32                    `json:"registry-qps"`
	EventQPS                  *int32                    `json:"event-qps"`
	MaxPods                   *uint32                   `json:"max-pods"`
	PodPidsLimit              *int64                    `json:"pod-pids-limit"`
	ClusterDNSIP              []ipAddress               `json:"cluster-dns-ip"`
	ClusterDomain             *dnsDomain                `json:"cluster-domain"`
	NodeIP                    *ipAddress                `json:"node-ip"`
	HostnameOverride          *linuxHostname            `json:"hostname-override"`
	ProviderID                *address                  `json:"provider-id"`
	LogLevel                  *uint8                    `json:"log-level"`
	SeccompDefault            *bool                     `json:"seccomp-default"`
}

type staticPod struct {
	Enabled  *bool        `json:"enabled"`
	Manifest *validBase64 `json:"manifest"`
}

type ntp struct {
	TimeServers []address `json:"time-servers"`
}

type kernel struct {
	Lockdown *lockdown                   `json:"lockdown"`
	Sysctl   map[sysctlKey]tomlString    `json:"sysctl"`
	Modules  map[moduleKey]*kernelModule `json:"modules"`
}

type kernelModule struct {
	Allowed  *bool `json:"allowed"`
	Autoload *bool `json:"autoload"`
}

type network struct {
	Hostname   *linuxHostname `json:"hostname"`
	HTTPSProxy *address       `json:"https-proxy"`
	NoProxy    []singleLine   `json:"no-proxy"`
}

type certificate struct {
	Data    *pemBundle `json:"data"`
	Trusted *bool      `json:"trusted"`
}

type registries struct {
	Mirrors []struct {
		Registry *singleLine `json:"registry"`
		Endpoint []address   `json:"endpoint"`
	} `json:"mirrors"`
	Credentials []struct {
		Registry      *singleLine  `json:"registry"`
		Username      *tomlString  `json:"username"`
		Password      *tomlString  `json:"password"`
		Auth          *validBase64 `json:"auth"`
		IdentityToken *tomlString  `json:"identitytoken"`
	} `json:"credentials"`
}

type hostContainer struct {
	Source       *address     `json:"source"`
	Enabled      *bool        `json:"enabled"`
	Superpowered *bool        `json:"superpowered"`
	UserData     *validBase64 `json:"user-data"`
}

type bootstrap struct {
	Source    *address       `json:"source"`
	Mode      *bootstrapMode `json:"mode"`
	UserData  *validBase64   `json:"user-data"`
	Essential *bool          `json:"essential"`
}
