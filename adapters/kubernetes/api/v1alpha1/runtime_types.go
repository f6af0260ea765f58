package v1alpha1

// ContainerdConfigSpec configures containerd.
type ContainerdConfigSpec struct {
	// version is the version of containerd's configuration file: 2 (containerd 1.x), 3 (2.x) or 4 (2.3 and newer). The
	// default is that of the operating system's containerd.
	// +optional
	// +kubebuilder:validation:Enum=2;3;4
	Version int32 `json:"version,omitempty"`
	// sandboxImage is the pause image. The default is containerd's.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	SandboxImage      string `json:"sandboxImage,omitempty"`
	RuntimeCommonSpec `json:",inline"`
}

// CRIOConfigSpec configures CRI-O.
type CRIOConfigSpec struct {
	// pauseImage is the pause image. The default is CRI-O's.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	PauseImage        string `json:"pauseImage,omitempty"`
	RuntimeCommonSpec `json:",inline"`
}

// RuntimeCommonSpec contains the settings that all container runtimes have.
type RuntimeCommonSpec struct {
	// cgroupDriver is the cgroup driver, systemd or cgroupfs. The default is systemd.
	// +optional
	// +kubebuilder:validation:Enum=systemd;cgroupfs
	CgroupDriver string `json:"cgroupDriver,omitempty"`
	// registries configures the registries that images are pulled from.
	// +optional
	// +listType=map
	// +listMapKey=host
	// +kubebuilder:validation:MaxItems=64
	Registries []Registry `json:"registries,omitempty"`
	// runtimes are the OCI runtimes that a RuntimeClass can name.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	Runtimes []Runtime `json:"runtimes,omitempty"`
	// defaultRuntime is the name of one of the runtimes, or runc or crun.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	DefaultRuntime string `json:"defaultRuntime,omitempty"`
	// proxy is the proxy of the container runtime only. The default is the machine's proxy.
	// +optional
	Proxy *ProxyConfigSpec `json:"proxy,omitempty"`
	// rawTOML is merged into the configuration, for settings that have no field.
	// +optional
	// +kubebuilder:validation:MaxLength=131072
	RawTOML string `json:"rawTOML,omitempty"`
}

// Registry configures one registry.
type Registry struct {
	// host is the registry in image names, such as docker.io; _default matches all other registries.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=261
	Host string `json:"host,omitempty"`
	// server is the URL of the registry. The default is https:// and the host.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://`
	Server string `json:"server,omitempty"`
	// mirrors are tried in this order, before the server.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Mirrors []RegistryEndpoint `json:"mirrors,omitempty"`
	// tls configures TLS for the server.
	// +optional
	TLS *RegistryTLS `json:"tls,omitempty"`
	// auth contains the credentials for the server.
	// +optional
	Auth *RegistryAuth `json:"auth,omitempty"`
}

// RegistryEndpoint is a mirror of a registry.
type RegistryEndpoint struct {
	// url is the http or https URL of the mirror.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://`
	URL string `json:"url,omitempty"`
	// capabilities are pull, resolve and push. The default is pull and resolve.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:items:Enum=pull;resolve;push
	Capabilities []string `json:"capabilities,omitempty"`
	// overridePath uses the path of the URL as the root of the API, without appending /v2. The default is false.
	// +optional
	OverridePath bool `json:"overridePath,omitempty"`
	// header contains HTTP headers for each request.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 256 && size(self[key]) <= 4096)",message="names have at most 256 characters, and values at most 4096"
	Header map[string]string `json:"header,omitempty"`
	// tls configures TLS for the mirror.
	// +optional
	TLS *RegistryTLS `json:"tls,omitempty"`
	// auth contains the credentials for the mirror.
	// +optional
	Auth *RegistryAuth `json:"auth,omitempty"`
}

// RegistryTLS configures TLS for a registry.
type RegistryTLS struct {
	// ca contains the trusted certificates in PEM. The default is the system's trust store.
	// +optional
	CA *Content `json:"ca,omitempty"`
	// certificate is the client certificate in PEM.
	// +optional
	Certificate *Content `json:"certificate,omitempty"`
	// key is the client key in PEM.
	// +optional
	Key *SecretSource `json:"key,omitempty"`
	// insecureSkipVerify accepts any certificate. The default is false.
	// +optional
	InsecureSkipVerify bool `json:"insecureSkipVerify,omitempty"`
}

// RegistryAuth contains the credentials for a registry: a username and a password, or a token.
//
// +kubebuilder:validation:ExactlyOneOf=password;token
// +kubebuilder:validation:XValidation:rule="has(self.username) == has(self.password)",message="username and password require each other"
type RegistryAuth struct {
	// username is the name of the user.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Username string `json:"username,omitempty"`
	// password is the password of the user.
	// +optional
	Password *SecretSource `json:"password,omitempty"`
	// token is an identity token or a bearer token.
	// +optional
	Token *SecretSource `json:"token,omitempty"`
}

// Runtime is an OCI runtime.
type Runtime struct {
	// name is the handler in a RuntimeClass.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
	// type is the shim of containerd, such as io.containerd.runc.v2, or the runtime type of CRI-O, oci or vm.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Type string `json:"type,omitempty"`
	// path is the path of the runtime's program. By default the runtime finds it in PATH.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// options are the runtime's own settings.
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 256 && size(self[key]) <= 4096)",message="names have at most 256 characters, and values at most 4096"
	Options map[string]string `json:"options,omitempty"`
}
