package v1alpha1

// SysctlConfigSpec sets kernel parameters.
type SysctlConfigSpec struct {
	// sysctls are kernel parameters by their names, set at once and at each boot.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 256 && size(self[key]) <= 4096)",message="names and values have at most 256 and 4096 characters"
	Sysctls map[string]string `json:"sysctls,omitempty"`
}

// KernelModulesConfigSpec loads kernel modules.
type KernelModulesConfigSpec struct {
	// kernelModules are loaded at once and at each boot, in their order.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=128
	KernelModules []KernelModule `json:"kernelModules,omitempty"`
}

// KernelModule is a module of the kernel.
type KernelModule struct {
	// name is the module's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	Name string `json:"name,omitempty"`
	// options are parameters of the module, such as numdummies=2.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	Options []string `json:"options,omitempty"`
}

// TimeSyncConfigSpec says where the machine gets the time.
type TimeSyncConfigSpec struct {
	// daemon is the program that keeps the clock. Without it, it is the operating system's.
	// +optional
	// +kubebuilder:validation:Enum=systemd-timesyncd;chronyd;ntpd;w32time
	Daemon string `json:"daemon,omitempty"`
	// servers are host names or addresses of time servers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Servers []string `json:"servers,omitempty"`
	// pools are names that stand for several servers each.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Pools []string `json:"pools,omitempty"`
}

// TrustedCAsConfigSpec adds certificates to the system's trust store.
type TrustedCAsConfigSpec struct {
	// trustedCAs are added to the system's trust store.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	TrustedCAs []TrustedCA `json:"trustedCAs,omitempty"`
}

// TrustedCA is one or more certificates that the machine trusts.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type TrustedCA struct {
	// name becomes part of a file name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Name string `json:"name,omitempty"`
	// content is the certificates, PEM.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom takes them from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}

// ProxyConfigSpec is a way out.
//
// +kubebuilder:validation:AtMostOneOf=httpProxy;httpProxyFrom
// +kubebuilder:validation:AtMostOneOf=httpsProxy;httpsProxyFrom
type ProxyConfigSpec struct {
	// httpProxy is the URL of the proxy for http.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	HTTPProxy string `json:"httpProxy,omitempty"`
	// httpProxyFrom takes the URL from a Secret, for one that holds a password.
	// +optional
	HTTPProxyFrom *SecretSource `json:"httpProxyFrom,omitempty"`
	// httpsProxy is the URL of the proxy for https.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	HTTPSProxy string `json:"httpsProxy,omitempty"`
	// httpsProxyFrom takes the URL from a Secret, for one that holds a password.
	// +optional
	HTTPSProxyFrom *SecretSource `json:"httpsProxyFrom,omitempty"`
	// noProxy are hosts, domains and networks that are reached directly.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	NoProxy []string `json:"noProxy,omitempty"`
}

// PackagesConfigSpec installs packages.
type PackagesConfigSpec struct {
	// install are packages as the operating system's package manager names them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Install []string `json:"install,omitempty"`
	// update refreshes the lists of packages first.
	// +optional
	Update bool `json:"update,omitempty"`
	// upgrade brings all installed packages up to date.
	// +optional
	Upgrade bool `json:"upgrade,omitempty"`
}

// OSUpdatesConfigSpec says whether the operating system updates itself.
type OSUpdatesConfigSpec struct {
	// enabled leaves the operating system's own updater on. It is off by default, since an update reboots a node without
	// draining it.
	// +optional
	Enabled bool `json:"enabled,omitempty"`
}

// KubernetesConfigSpec says how Kubernetes's programs come onto the machine.
type KubernetesConfigSpec struct {
	// provision is the way in which they come. Without it, it is the operating system's.
	// +optional
	// +kubebuilder:validation:Enum=Image;Sysext;Package;Download
	Provision string `json:"provision,omitempty"`
	// artifacts are what Sysext and Download fetch.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// packages are what Package installs. Without them they are kubelet, kubeadm and kubectl of the machine's version.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Packages []string `json:"packages,omitempty"`
}

// Artifact is a file to fetch. Nothing unverified runs, so one of the digests is needed.
//
// +kubebuilder:validation:ExactlyOneOf=sha256;sha512
type Artifact struct {
	// name is kubelet, kubeadm, kubectl, or that of a system extension.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Name string `json:"name,omitempty"`
	// url is http, https or file. {version} in it stands for the version of Kubernetes, {arch} for the architecture.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// sha256 is the expected digest.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
	// sha512 is the expected digest.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{128}$`
	SHA512 string `json:"sha512,omitempty"`
}
