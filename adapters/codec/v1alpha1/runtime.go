package v1alpha1

// KubernetesConfig says how kubelet, kubeadm and kubectl come onto the machine.
type KubernetesConfig struct {
	// Provision is Image, Sysext, Package or Download; the operating system's way by default.
	Provision string     `yaml:"provision,omitempty"`
	Artifacts []Artifact `yaml:"artifacts,omitempty"`
	Packages  []string   `yaml:"packages,omitempty"`
}

// Artifact is a file to fetch; one of the digests is required.
type Artifact struct {
	Name   string `yaml:"name"`
	URL    string `yaml:"url"`
	SHA256 string `yaml:"sha256,omitempty"`
	SHA512 string `yaml:"sha512,omitempty"`
}

// ContainerdConfig is containerd's configuration.
type ContainerdConfig struct {
	// Version is that of the configuration file: 2, 3 or 4. By default it follows from the containerd that is there.
	Version        int          `yaml:"version,omitempty"`
	SandboxImage   string       `yaml:"sandboxImage,omitempty"`
	CgroupDriver   string       `yaml:"cgroupDriver,omitempty"`
	Registries     []Registry   `yaml:"registries,omitempty"`
	Runtimes       []Runtime    `yaml:"runtimes,omitempty"`
	DefaultRuntime string       `yaml:"defaultRuntime,omitempty"`
	Proxy          *ProxyConfig `yaml:"proxy,omitempty"`
	// RawTOML is merged last.
	RawTOML string `yaml:"rawTOML,omitempty"`
}

// CRIOConfig is CRI-O's configuration.
type CRIOConfig struct {
	PauseImage     string       `yaml:"pauseImage,omitempty"`
	CgroupDriver   string       `yaml:"cgroupDriver,omitempty"`
	Registries     []Registry   `yaml:"registries,omitempty"`
	Runtimes       []Runtime    `yaml:"runtimes,omitempty"`
	DefaultRuntime string       `yaml:"defaultRuntime,omitempty"`
	Proxy          *ProxyConfig `yaml:"proxy,omitempty"`
	RawTOML        string       `yaml:"rawTOML,omitempty"`
}

// Registry is a registry of images.
type Registry struct {
	Host    string             `yaml:"host"`
	Server  string             `yaml:"server,omitempty"`
	Mirrors []RegistryEndpoint `yaml:"mirrors,omitempty"`
	TLS     *RegistryTLS       `yaml:"tls,omitempty"`
	Auth    *RegistryAuth      `yaml:"auth,omitempty"`
}

// RegistryEndpoint is a mirror.
type RegistryEndpoint struct {
	URL          string            `yaml:"url"`
	Capabilities []string          `yaml:"capabilities,omitempty"`
	OverridePath bool              `yaml:"overridePath,omitempty"`
	Header       map[string]string `yaml:"header,omitempty"`
	TLS          *RegistryTLS      `yaml:"tls,omitempty"`
	Auth         *RegistryAuth     `yaml:"auth,omitempty"`
}

// RegistryTLS is PEM.
type RegistryTLS struct {
	CA                 Bytes `yaml:"ca,omitempty"`
	Certificate        Bytes `yaml:"certificate,omitempty"`
	Key                Bytes `yaml:"key,omitempty"`
	InsecureSkipVerify bool  `yaml:"insecureSkipVerify,omitempty"`
}

// RegistryAuth is the credentials of a registry.
type RegistryAuth struct {
	Username string `yaml:"username,omitempty"`
	Password Bytes  `yaml:"password,omitempty"`
	Token    Bytes  `yaml:"token,omitempty"`
}

// Runtime is a runtime of containers.
type Runtime struct {
	Name    string            `yaml:"name"`
	Type    string            `yaml:"type,omitempty"`
	Path    string            `yaml:"path,omitempty"`
	Options map[string]string `yaml:"options,omitempty"`
}

// RemoteConfig is a machine configuration that is fetched by machineadm-remote-configuration-provider-<provider>.
type RemoteConfig struct {
	Provider string `yaml:"provider"`
	URI      string `yaml:"uri"`
	// SHA256 is the digest of what is fetched, in lower-case hexadecimal. Without it nothing is checked.
	SHA256 string `yaml:"sha256,omitempty"`
	// Headers are sent along by providers that speak HTTP.
	Headers []RemoteHeader `yaml:"headers,omitempty"`
	// CABundle holds certificates in PEM that the server is trusted by besides those of the system.
	CABundle string `yaml:"caBundle,omitempty"`
}

// RemoteHeader is a header of a request. Its value may be a credential.
type RemoteHeader struct {
	Name  string `yaml:"name"`
	Value Bytes  `yaml:"value"`
}

// EncryptedConfig is a machine configuration that is decrypted with a passphrase from
// machineadm-plugin-encryption-provider-<provider>.
type EncryptedConfig struct {
	Provider      string `yaml:"provider"`
	PassphraseURI string `yaml:"passphraseURI"`
	// Ciphertext, Salt and IV are base64. The ciphertext ends in the tag of 16 bytes.
	Ciphertext             Base64     `yaml:"ciphertext"`
	Salt                   Base64     `yaml:"salt"`
	IV                     Base64     `yaml:"iv"`
	CipherAlgorithm        string     `yaml:"cipherAlgorithm"`
	DigestAlgorithm        string     `yaml:"digestAlgorithm"`
	Iterations             Iterations `yaml:"iterations"`
	KeyDerivationAlgorithm string     `yaml:"keyDerivationAlgorithm"`
}

// MachineIdentity says which machine this is. It stands in the configuration that the machine was started with, once, and
// encrypted configuration is bound to it.
type MachineIdentity struct {
	// Machine is any text that no other machine has, such as namespace/name/UID.
	Machine string `yaml:"machine"`
	// Encryption is the one key under which configuration is encrypted. With it, what is fetched has to be encrypted.
	Encryption *KeyName `yaml:"encryption,omitempty"`
}

// KeyName names a key of a provider.
type KeyName struct {
	Provider string `yaml:"provider"`
	// Key is the key's name or the passphrase's URI; any key of the provider without it.
	Key string `yaml:"key,omitempty"`
}

// HardeningConfig has the machine answer the checks of a benchmark. Its settings join those of the other documents, which go before.
type HardeningConfig struct {
	// Profile is CIS or STIG.
	Profile string `yaml:"profile"`
	// Except are checks that are not answered, such as 4.2.6.
	Except []string `yaml:"except,omitempty"`
}
