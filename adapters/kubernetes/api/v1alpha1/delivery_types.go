package v1alpha1

// DeliverySpec configures how the userdata reaches the machine. The defaults depend on the format and on the kind of
// the machine's infrastructure object.
//
// +kubebuilder:validation:XValidation:rule="!has(self.agent) || (has(self.mode) && self.mode == 'Agent')",message="agent requires mode Agent"
// +kubebuilder:validation:XValidation:rule="!has(self.encryption) || (has(self.mode) && self.mode == 'Agent')",message="encryption requires mode Agent"
// +kubebuilder:validation:XValidation:rule="!has(self.plugins) || (has(self.mode) && self.mode == 'Agent')",message="plugins requires mode Agent"
type DeliverySpec struct {
	// mode is Native or Agent. Native, the default, renders the whole configuration in the output format. Agent puts it
	// into one file that the agent machineadm applies on the machine. The userdata itself still configures disks, file
	// systems, mounts, users with SSH keys, and the settings that the agent needs to fetch its configuration.
	// +optional
	// +kubebuilder:validation:Enum=Native;Agent
	Mode string `json:"mode,omitempty"`
	// agent configures how the machine gets the agent. Without it, the image contains /usr/bin/machineadm. It requires
	// mode Agent.
	// +optional
	Agent *DeliveryAgent `json:"agent,omitempty"`
	// encryption encrypts the agent's configuration for this machine. Disks, file systems, mounts, users with SSH keys,
	// and the settings that the agent needs to fetch its configuration are not encrypted; they contain no passwords. It
	// requires mode Agent.
	// +optional
	Encryption *DeliveryEncryption `json:"encryption,omitempty"`
	// plugins pins the digests of plugins of the agent. A plugin replaces a core plugin only if it is pinned here. Pins
	// are part of the userdata; nothing that the machine fetches or decrypts can set one. It requires mode Agent.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	Plugins []PluginPin `json:"plugins,omitempty"`
	// compression is Auto, None or Gzip. Auto, the default, compresses userdata that is otherwise too large, if the
	// infrastructure provider and the machine are known to support it.
	// +optional
	// +kubebuilder:validation:Enum=Auto;None;Gzip
	Compression string `json:"compression,omitempty"`
	// encoding is None, Base64 or EC2Launch. Base64 is for infrastructure that only accepts text and decodes it on the
	// machine. EC2Launch is for Windows on Amazon EC2 with an image that contains EC2Launch instead of cloudbase-init. The
	// default is None.
	// +optional
	// +kubebuilder:validation:Enum=None;Base64;EC2Launch
	Encoding string `json:"encoding,omitempty"`
	// fetch is Verified or Include, for a machine with storageRef. Verified, the default, verifies the digest of the
	// fetched configuration. Include is cloud-init's #include, which does not verify a digest.
	// +optional
	// +kubebuilder:validation:Enum=Verified;Include
	Fetch string `json:"fetch,omitempty"`
	// maxPayloadSize is the limit of the platform in bytes, such as 16Ki. Larger userdata is not published. The default
	// depends on the kind of the infrastructure object.
	// +optional
	MaxPayloadSize ByteSize `json:"maxPayloadSize,omitempty"`
	// secretMetadata contains labels and annotations for the data Secret, for other controllers. They are added when the
	// Secret is created. For a pool, they are also added when its data is replaced, and none are removed.
	// +optional
	SecretMetadata *SecretMetadata `json:"secretMetadata,omitempty"`
	// parts are scripts that are added to the userdata as parts of a MIME message. They require the format cloud-init.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Parts []DeliveryPart `json:"parts,omitempty"`
}

// SecretMetadata contains labels and annotations for the data Secret. Keys in the domains cluster.x-k8s.io, k8s.io,
// kubernetes.io and machineadm.io, and in their subdomains, are refused, because controllers trust them.
//
// +kubebuilder:validation:MinProperties=1
type SecretMetadata struct {
	// labels are added to the data Secret.
	// +optional
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 317 && size(self[key]) <= 63)",message="keys have at most 317 characters, and values at most 63"
	// +kubebuilder:validation:XValidation:rule="self.all(key, !key.startsWith('cluster.x-k8s.io/') && !key.startsWith('k8s.io/') && !key.startsWith('kubernetes.io/') && !key.startsWith('machineadm.io/') && !key.startsWith('clusterctl.cluster.x-k8s.io/') && !key.startsWith('bootstrap.machineadm.io/'))",message="controllers trust keys of cluster.x-k8s.io, k8s.io, kubernetes.io and machineadm.io; use a domain of your own"
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are added to the data Secret.
	// +optional
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(key, size(key) <= 317 && size(self[key]) <= 4096)",message="keys have at most 317 characters, and values at most 4096"
	// +kubebuilder:validation:XValidation:rule="self.all(key, !key.startsWith('cluster.x-k8s.io/') && !key.startsWith('k8s.io/') && !key.startsWith('kubernetes.io/') && !key.startsWith('machineadm.io/') && !key.startsWith('clusterctl.cluster.x-k8s.io/') && !key.startsWith('bootstrap.machineadm.io/'))",message="controllers trust keys of cluster.x-k8s.io, k8s.io, kubernetes.io and machineadm.io; use a domain of your own"
	Annotations map[string]string `json:"annotations,omitempty"`
}

// PluginPin pins the digest of a plugin.
type PluginPin struct {
	// name is the file name on the machine, such as machineadm-timesync-plugin-ptp.
	// +required
	// +kubebuilder:validation:MinLength=12
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^machineadm-(container-runtime-plugin|timesync-plugin|remote-configuration-provider|plugin-encryption-provider|document-plugin|reporter-plugin)-[A-Za-z0-9][A-Za-z0-9._-]*$`
	Name string `json:"name,omitempty"`
	// sha256 is the SHA-256 of the file in lower-case hexadecimal.
	// +required
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
}

// DeliveryPart is a script that cloud-init runs. It is not part of the bootstrap: its failure does not stop the
// bootstrap.
//
// +kubebuilder:validation:ExactlyOneOf=text;textFrom
type DeliveryPart struct {
	// name is the file name of the script. cloud-init runs scripts in the order of their names; the bootstrap is the
	// script runcmd.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_][A-Za-z0-9._-]*$`
	Name string `json:"name,omitempty"`
	// contentType is text/x-shellscript, which runs once at the end of the first boot, or text/cloud-boothook, which runs
	// early at every boot.
	// +required
	// +kubebuilder:validation:Enum=text/x-shellscript;text/cloud-boothook
	ContentType string `json:"contentType,omitempty"`
	// text is the script. It begins with #! and the path of its interpreter.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1048576
	Text string `json:"text,omitempty"`
	// textFrom reads the script from a Secret or ConfigMap.
	// +optional
	TextFrom *ContentSource `json:"textFrom,omitempty"`
}

// DeliveryAgent configures how a machine gets the agent.
//
// +kubebuilder:validation:XValidation:rule="has(self.fetch) == (has(self.source) && self.source == 'Fetch')",message="fetch is required with source Fetch and not allowed with others"
type DeliveryAgent struct {
	// source is Image, Fetch or Endpoint. Image, the default, uses the agent in the image. Fetch downloads it as fetch
	// specifies. Endpoint downloads it from the controller's endpoint; the userdata contains its digest.
	// +optional
	// +kubebuilder:validation:Enum=Image;Fetch;Endpoint
	Source string `json:"source,omitempty"`
	// path is the path of the agent on the machine. The default is /usr/bin/machineadm, or for a downloaded agent
	// machineadm in the operating system's directory for programs.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// fetch is the URL and the digest of the agent. It is required with the source Fetch.
	// +optional
	Fetch *AgentFetch `json:"fetch,omitempty"`
}

// AgentFetch is the URL and the digest of the agent. The machine runs the file only if its digest is correct.
//
// +kubebuilder:validation:ExactlyOneOf=sha256;release
// +kubebuilder:validation:XValidation:rule="!self.url.contains('{version}') || has(self.version)",message="version is required: url contains {version}"
type AgentFetch struct {
	// url is an http, https or file URL. {version} is replaced by version, {arch} by the machine's architecture, and
	// {sha256} by the digest: file:///media/release/blobs/sha256/{sha256} is a blob of an OCI image layout.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// version is the agent's version, such as v0.1.0.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9._+-]*$`
	Version string `json:"version,omitempty"`
	// sha256 is the SHA-256 of the file in lower-case hexadecimal.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
	// release reads the digest from the checksums of a release after verifying their signature. The controller does that
	// when it renders the userdata; the machine verifies the digest.
	// +optional
	Release *AgentRelease `json:"release,omitempty"`
}

// AgentRelease contains the sources of the checksums (SHA256SUMS) of a release and of their signature, which cosign
// sign-blob or openssl creates.
type AgentRelease struct {
	// file is the agent's name in the checksums; {version} and {arch} are replaced. The default is
	// machineadm-linux-{arch}.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	File string `json:"file,omitempty"`
	// checksumsFrom is the source of the checksums, in the output format of sha256sum.
	// +required
	ChecksumsFrom ContentSource `json:"checksumsFrom,omitzero"`
	// signatureFrom is the source of the signature in base64: ECDSA or RSA (PKCS #1 v1.5) over the SHA-256 of the
	// checksums, or Ed25519.
	// +required
	SignatureFrom ContentSource `json:"signatureFrom,omitzero"`
	// publicKeyFrom is the source of the publisher's public key in PEM.
	// +required
	PublicKeyFrom ContentSource `json:"publicKeyFrom,omitzero"`
}

// DeliveryEncryption configures the encryption of the agent's configuration. The providers file and remote use a
// passphrase that the controller and the machine both know. Any other provider uses a key management service, which
// wraps a new passphrase for each machine.
//
// +kubebuilder:validation:XValidation:rule="(self.provider in ['file', 'remote']) == has(self.passphraseSecretRef)",message="passphraseSecretRef is required with the providers file and remote, and not allowed with others"
// +kubebuilder:validation:XValidation:rule="(self.provider in ['file', 'remote']) == has(self.passphraseURI)",message="passphraseURI is required with the providers file and remote, and not allowed with others"
// +kubebuilder:validation:XValidation:rule="!(self.provider in ['file', 'remote']) || !has(self.key)",message="key is not allowed with the providers file and remote"
type DeliveryEncryption struct {
	// provider is file, remote, or the last part of the name of a plugin machineadm-plugin-encryption-provider-… that the
	// controller and the machine have, such as aws-kms, kms-v2 or pkcs11.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9-]*$`
	Provider string `json:"provider,omitempty"`
	// key is the key's name in the key management service, such as an ARN or a PKCS#11 URI. The default is the default
	// key of the service, if it has one.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	Key string `json:"key,omitempty"`
	// passphraseSecretRef names the passphrase, which has at least 16 bytes. A trailing newline is not part of it.
	// +optional
	PassphraseSecretRef *KeyReference `json:"passphraseSecretRef,omitempty"`
	// passphraseURI is the location from which the machine reads the passphrase: file:///PATH for the provider file,
	// and for remote a URI that a machineadm-remote-configuration-provider-… fetches, such as s3://bucket/key.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	PassphraseURI string `json:"passphraseURI,omitempty"`
	// iterations is the number of rounds of key derivation. The default is 210000.
	// +optional
	// +kubebuilder:validation:Minimum=50000
	// +kubebuilder:validation:Maximum=10000000
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Iterations int32 `json:"iterations,omitempty"`
}
