package v1alpha1

// SysctlConfigSpec sets kernel parameters.
type SysctlConfigSpec struct {
	// sysctls maps the names of kernel parameters to their values. They are set during the bootstrap and at each boot.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 256 && size(self[key]) <= 4096)",message="names have at most 256 characters, and values at most 4096"
	Sysctls map[string]string `json:"sysctls,omitempty"`
}

// KernelModulesConfigSpec loads kernel modules.
type KernelModulesConfigSpec struct {
	// kernelModules are loaded in this order, during the bootstrap and at each boot.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=128
	KernelModules []KernelModule `json:"kernelModules,omitempty"`
}

// KernelModule is a kernel module to load.
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

// TimeSyncConfigSpec configures time synchronisation.
//
// +kubebuilder:validation:XValidation:rule="!has(self.enabled) || self.enabled || !has(self.daemon)",message="enabled: false disables all time daemons; remove daemon"
type TimeSyncConfigSpec struct {
	// enabled is false for machines that must not run any time daemon. All daemons that images of the operating system
	// contain are then masked, or disabled on Windows. The default is true, which requires servers or pools.
	// +optional
	Enabled *bool `json:"enabled,omitempty"`
	// daemon is the program that synchronises the clock. If it is not set, Linux machines use the daemon that they have:
	// the one that runs, or else is enabled, or else is installed. A machine without a daemon logs that the servers are
	// not used, and the bootstrap continues. A daemon that is set must exist.
	// +optional
	// +kubebuilder:validation:Enum=systemd-timesyncd;chronyd;ntpd;w32time
	Daemon string `json:"daemon,omitempty"`
	// servers are host names or addresses of NTP servers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Servers []string `json:"servers,omitempty"`
	// pools are host names that each resolve to several NTP servers.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Pools []string `json:"pools,omitempty"`
}

// TrustedCAsConfigSpec adds certificates to the system's trust store.
type TrustedCAsConfigSpec struct {
	// trustedCAs are the certificates to add to the system's trust store.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	TrustedCAs []TrustedCA `json:"trustedCAs,omitempty"`
}

// TrustedCA is one or more trusted certificates.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type TrustedCA struct {
	// name is used in the name of the file. It is unique among the certificates.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Name string `json:"name,omitempty"`
	// content is the certificates in PEM.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom reads the certificates from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}

// ProxyConfigSpec configures a proxy for outgoing connections.
//
// +kubebuilder:validation:AtMostOneOf=httpProxy;httpProxyFrom
// +kubebuilder:validation:AtMostOneOf=httpsProxy;httpsProxyFrom
type ProxyConfigSpec struct {
	// httpProxy is the URL of the proxy for http.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	HTTPProxy string `json:"httpProxy,omitempty"`
	// httpProxyFrom reads that URL from a Secret, for a URL that contains a password.
	// +optional
	HTTPProxyFrom *SecretSource `json:"httpProxyFrom,omitempty"`
	// httpsProxy is the URL of the proxy for https.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	HTTPSProxy string `json:"httpsProxy,omitempty"`
	// httpsProxyFrom reads that URL from a Secret, for a URL that contains a password.
	// +optional
	HTTPSProxyFrom *SecretSource `json:"httpsProxyFrom,omitempty"`
	// noProxy are hosts, domains and networks that are reached without the proxy. In a cluster, localhost, the host of the
	// control plane endpoint, the subnets of Pods and Services, .svc and the domain of Services are added. Add the network
	// of the machines: kubelet of a control plane machine connects to the address of its machine.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	NoProxy []string `json:"noProxy,omitempty"`
}

// PackagesConfigSpec installs packages.
type PackagesConfigSpec struct {
	// install are the names of packages of the operating system's package manager.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Install []string `json:"install,omitempty"`
	// update refreshes the package lists before installing. The default is false. With apt, the lists are always
	// refreshed before packages are installed or upgraded.
	// +optional
	Update bool `json:"update,omitempty"`
	// upgrade upgrades all installed packages. The default is false.
	// +optional
	Upgrade bool `json:"upgrade,omitempty"`
	// repositories are signed repositories of packages. They are added before packages are installed, and the package
	// lists are then refreshed.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Repositories []PackageRepository `json:"repositories,omitempty"`
}

// PackageRepository is a signed repository of packages. The machine installs nothing from it that signingKey does not
// verify.
//
// +kubebuilder:validation:ExactlyOneOf=signingKey;signingKeyFrom
// +kubebuilder:validation:XValidation:rule="!has(self.components) || has(self.suite)",message="components have no effect without suite"
type PackageRepository struct {
	// name is the name of the repository's files. A repository of the image with the same name is replaced.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9_-]*$`
	Name string `json:"name,omitempty"`
	// url is an http, https or file URL. {minor} is replaced by the minor version of Kubernetes, such as v1.36.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// suite is the suite of a repository of Debian packages, such as trixie. The default is /, for a repository without
	// suites.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Suite string `json:"suite,omitempty"`
	// components are the components of the suite, such as main. They are required with a suite that does not end in a
	// slash.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	Components []string `json:"components,omitempty"`
	// signingKey is the public key of the repository: OpenPGP, armored.
	// +optional
	// +kubebuilder:validation:MaxLength=65536
	SigningKey string `json:"signingKey,omitempty"`
	// signingKeyFrom reads the public key from a Secret or ConfigMap.
	// +optional
	SigningKeyFrom *ContentSource `json:"signingKeyFrom,omitempty"`
}

// KernelArgumentsSpec changes the command line with which the boot loader starts the kernel. Ignition since 3.3 and
// Bottlerocket set it; the machine reboots once during its first boot.
type KernelArgumentsSpec struct {
	// shouldExist are arguments that the command line must contain, such as mitigations=off.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=1024
	ShouldExist []string `json:"shouldExist,omitempty"`
	// shouldNotExist are arguments that the command line must not contain.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=1024
	ShouldNotExist []string `json:"shouldNotExist,omitempty"`
}

// OSUpdatesConfigSpec configures the operating system's own updates.
type OSUpdatesConfigSpec struct {
	// enabled enables automatic updates of the operating system. The default is false, since an update reboots a node
	// without draining it.
	// +optional
	Enabled bool `json:"enabled,omitempty"`
}

// KubernetesConfigSpec configures how the machine gets kubelet, kubeadm and kubectl.
type KubernetesConfigSpec struct {
	// provision is Image, Sysext, Package or Download. The default is the operating system's.
	// +optional
	// +kubebuilder:validation:Enum=Image;Sysext;Package;Download
	Provision string `json:"provision,omitempty"`
	// artifacts are the files that Sysext and Download fetch.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// packages are the names of the packages that Package installs. The default is kubelet, kubeadm and kubectl of the
	// machine's version.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=253
	Packages []string `json:"packages,omitempty"`
}

// Artifact is a file to fetch. One of the digests is required, because the machine must not run unverified programs.
//
// +kubebuilder:validation:ExactlyOneOf=sha256;sha512
type Artifact struct {
	// name is kubelet, kubeadm, kubectl, or the name of a system extension.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Name string `json:"name,omitempty"`
	// url is an http, https or file URL. {version} is replaced by the Kubernetes version and {arch} by the architecture.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// sha256 is the SHA-256 of the file in lower-case hexadecimal.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
	// sha512 is the SHA-512 of the file in lower-case hexadecimal.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{128}$`
	SHA512 string `json:"sha512,omitempty"`
}
