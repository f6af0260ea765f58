package v1alpha1

// ContainerdConfigSpec configures containerd.
type ContainerdConfigSpec struct {
	// version is that of containerd's configuration file: 2 (containerd 1.x), 3 (2.x) or 4 (2.3 and newer). Without it, it
	// is the operating system's.
	// +optional
	// +kubebuilder:validation:Enum=2;3;4
	Version int32 `json:"version,omitempty"`
	// sandboxImage is the pause image.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	SandboxImage      string `json:"sandboxImage,omitempty"`
	RuntimeCommonSpec `json:",inline"`
}

// CRIOConfigSpec configures CRI-O.
type CRIOConfigSpec struct {
	// pauseImage is the pause image.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	PauseImage        string `json:"pauseImage,omitempty"`
	RuntimeCommonSpec `json:",inline"`
}

// RuntimeCommonSpec is what all container runtimes have.
type RuntimeCommonSpec struct {
	// cgroupDriver says who manages control groups. Without it, it is systemd.
	// +optional
	// +kubebuilder:validation:Enum=systemd;cgroupfs
	CgroupDriver string `json:"cgroupDriver,omitempty"`
	// registries say from where images are pulled.
	// +optional
	// +listType=map
	// +listMapKey=host
	// +kubebuilder:validation:MaxItems=64
	Registries []Registry `json:"registries,omitempty"`
	// runtimes are what a RuntimeClass may name.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	Runtimes []Runtime `json:"runtimes,omitempty"`
	// defaultRuntime is one of the runtimes, runc or crun.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	DefaultRuntime string `json:"defaultRuntime,omitempty"`
	// proxy is for the container runtime alone. Without it, it is the machine's.
	// +optional
	Proxy *ProxyConfigSpec `json:"proxy,omitempty"`
	// rawTOML is added to the configuration, for settings that have no field here.
	// +optional
	// +kubebuilder:validation:MaxLength=131072
	RawTOML string `json:"rawTOML,omitempty"`
}

// Registry says from where the images of one registry are pulled.
type Registry struct {
	// host is the registry as image names have it, such as docker.io; _default stands for all others.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=261
	Host string `json:"host,omitempty"`
	// server is the registry's own URL. Without it, it is https://host.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://`
	Server string `json:"server,omitempty"`
	// mirrors are tried in their order, before the server.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Mirrors []RegistryEndpoint `json:"mirrors,omitempty"`
	// tls says how to trust the server and how to be known to it.
	// +optional
	TLS *RegistryTLS `json:"tls,omitempty"`
	// auth holds the credentials for the server.
	// +optional
	Auth *RegistryAuth `json:"auth,omitempty"`
}

// RegistryEndpoint is a host that serves a registry's images.
type RegistryEndpoint struct {
	// url is http or https.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://`
	URL string `json:"url,omitempty"`
	// capabilities are what the host is used for. Without them they are pull and resolve.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=3
	// +kubebuilder:validation:items:Enum=pull;resolve;push
	Capabilities []string `json:"capabilities,omitempty"`
	// overridePath says that the URL's path is the root of the API, so that /v2 is not added.
	// +optional
	OverridePath bool `json:"overridePath,omitempty"`
	// header holds values that are sent with each request.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 256 && size(self[key]) <= 4096)",message="names and values have at most 256 and 4096 characters"
	Header map[string]string `json:"header,omitempty"`
	// tls says how to trust the host and how to be known to it.
	// +optional
	TLS *RegistryTLS `json:"tls,omitempty"`
	// auth holds the credentials for the host.
	// +optional
	Auth *RegistryAuth `json:"auth,omitempty"`
}

// RegistryTLS says how to trust a registry and how to be known to it.
type RegistryTLS struct {
	// ca is a bundle of certificates, PEM.
	// +optional
	CA *Content `json:"ca,omitempty"`
	// certificate is the client's, PEM.
	// +optional
	Certificate *Content `json:"certificate,omitempty"`
	// key is the client's, PEM.
	// +optional
	Key *SecretSource `json:"key,omitempty"`
	// insecureSkipVerify accepts any certificate.
	// +optional
	InsecureSkipVerify bool `json:"insecureSkipVerify,omitempty"`
}

// RegistryAuth holds the credentials for a registry: user name and password, or a token.
//
// +kubebuilder:validation:ExactlyOneOf=password;token
// +kubebuilder:validation:XValidation:rule="has(self.username) == has(self.password)",message="a user name has a password, and a password a user name"
type RegistryAuth struct {
	// username is the user's name.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Username string `json:"username,omitempty"`
	// password is the user's password.
	// +optional
	Password *SecretSource `json:"password,omitempty"`
	// token is an identity or bearer token.
	// +optional
	Token *SecretSource `json:"token,omitempty"`
}

// Runtime is an OCI runtime.
type Runtime struct {
	// name is what a RuntimeClass calls its handler.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`
	// type is the shim, such as io.containerd.runc.v2 (containerd), or oci or vm (CRI-O).
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Type string `json:"type,omitempty"`
	// path is the runtime's program. Without it, it is the one on PATH.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// options are the runtime's own settings.
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 256 && size(self[key]) <= 4096)",message="names and values have at most 256 and 4096 characters"
	Options map[string]string `json:"options,omitempty"`
}
