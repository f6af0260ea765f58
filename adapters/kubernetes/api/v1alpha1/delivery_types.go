package v1alpha1

// DeliverySpec says how the userdata is handed over. Without it, it follows from the format and from the kind of the
// machine's infrastructure object.
//
// +kubebuilder:validation:XValidation:rule="!has(self.agent) || (has(self.mode) && self.mode == 'Agent')",message="agent counts with the mode Agent alone"
// +kubebuilder:validation:XValidation:rule="!has(self.encryption) || (has(self.mode) && self.mode == 'Agent')",message="an agent decrypts: encryption counts with the mode Agent alone"
// +kubebuilder:validation:XValidation:rule="!has(self.plugins) || (has(self.mode) && self.mode == 'Agent')",message="plugins count with the mode Agent alone"
type DeliverySpec struct {
	// mode is Native or Agent. Native, the default, says the whole configuration in the format's own words. Agent hands it
	// to the agent machineadm on the machine as one file; disks, file systems, mounts, users with keys, and what has to be
	// there before something is fetched stay in the format's words.
	// +optional
	// +kubebuilder:validation:Enum=Native;Agent
	Mode string `json:"mode,omitempty"`
	// agent says how the agent comes onto the machine. Without it the image has it as /usr/bin/machineadm.
	// +optional
	Agent *DeliveryAgent `json:"agent,omitempty"`
	// encryption has what the agent reads encrypted for this machine alone. Disks, file systems, mounts, users with keys,
	// and what has to be there before something is fetched stay in clear text, without passwords.
	// +optional
	Encryption *DeliveryEncryption `json:"encryption,omitempty"`
	// plugins are programs on the machine that the agent may trust by their digests. Only one that is pinned here takes
	// the place of a core plugin. Pins travel in the userdata; nothing that the machine fetches or decrypts can set one.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	Plugins []PluginPin `json:"plugins,omitempty"`
	// compression is Auto, None or Gzip. Auto, the default, compresses userdata that would be too large otherwise, where
	// it is known that the infrastructure provider carries it and that the machine reads it.
	// +optional
	// +kubebuilder:validation:Enum=Auto;None;Gzip
	Compression string `json:"compression,omitempty"`
	// encoding is None or Base64. Base64 is for infrastructure that carries text alone and decodes it on the machine.
	// +optional
	// +kubebuilder:validation:Enum=None;Base64
	Encoding string `json:"encoding,omitempty"`
	// fetch is Verified or Include, for a machine whose configuration is stored (storageRef). Verified, the default,
	// checks the digest of what is fetched. Include is cloud-init's own #include, which checks none.
	// +optional
	// +kubebuilder:validation:Enum=Verified;Include
	Fetch string `json:"fetch,omitempty"`
	// maxPayloadSize is the most that the platform takes, in bytes, such as 16Ki. Without it, it is what is known of the
	// kind of the infrastructure object. Userdata that is larger is not published.
	// +optional
	MaxPayloadSize ByteSize `json:"maxPayloadSize,omitempty"`
	// parts are scripts that travel beside the machine's own configuration, as parts of one MIME message. They are for
	// cloud-init.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Parts []DeliveryPart `json:"parts,omitempty"`
}

// PluginPin says which digest the file of a plugin has.
type PluginPin struct {
	// name is the file's name on the machine, such as machineadm-timesync-plugin-ptp.
	// +required
	// +kubebuilder:validation:MinLength=12
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^machineadm-(container-runtime-plugin|timesync-plugin|remote-configuration-provider|plugin-encryption-provider|document-plugin|reporter-plugin)-[A-Za-z0-9][A-Za-z0-9._-]*$`
	Name string `json:"name,omitempty"`
	// sha256 is the digest of the file.
	// +required
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
}

// DeliveryPart is a script that cloud-init runs itself. It takes no part in the bootstrap: its failure does not stop
// it.
//
// +kubebuilder:validation:ExactlyOneOf=text;textFrom
type DeliveryPart struct {
	// name is the file name of the script. cloud-init runs scripts in the order of their names; the bootstrap's is runcmd.
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
	// textFrom takes the script from a Secret or ConfigMap.
	// +optional
	TextFrom *ContentSource `json:"textFrom,omitempty"`
}

// DeliveryAgent says how the agent comes onto a machine.
//
// +kubebuilder:validation:XValidation:rule="has(self.fetch) == (has(self.source) && self.source == 'Fetch')",message="fetch is for the source Fetch, which needs it"
type DeliveryAgent struct {
	// source is Image, Fetch or Endpoint. Image, the default, is an agent that the image has. Fetch is one that fetch
	// tells of, and Endpoint one that the controller's own endpoint serves; its digest goes into the userdata.
	// +optional
	// +kubebuilder:validation:Enum=Image;Fetch;Endpoint
	Source string `json:"source,omitempty"`
	// path is the agent's file on the machine. Without it, it is /usr/bin/machineadm, or for one that is fetched
	// machineadm in the operating system's directory of programs.
	// +optional
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=4095
	// +kubebuilder:validation:Pattern=`^/`
	Path string `json:"path,omitempty"`
	// fetch says where the agent is fetched from.
	// +optional
	Fetch *AgentFetch `json:"fetch,omitempty"`
}

// AgentFetch is the agent as a file to fetch. It runs only if its digest is right.
//
// +kubebuilder:validation:ExactlyOneOf=sha256;release
// +kubebuilder:validation:XValidation:rule="!self.url.contains('{version}') || has(self.version)",message="the URL asks for the version, and there is none"
type AgentFetch struct {
	// url is http, https or file. {version} in it stands for version, {arch} for the machine's architecture, and {sha256}
	// for the digest: file:///media/release/blobs/sha256/{sha256} is a blob of an OCI image layout.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// version is the agent's, such as v0.1.0.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9][A-Za-z0-9._+-]*$`
	Version string `json:"version,omitempty"`
	// sha256 is the digest of the file.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
	// release has the digest taken from the checksums of a release, once its signature is verified. That happens before
	// the userdata is made; the machine checks the digest.
	// +optional
	Release *AgentRelease `json:"release,omitempty"`
}

// AgentRelease is what was published with an agent: SHA256SUMS and its signature, as cosign sign-blob or openssl make
// it.
type AgentRelease struct {
	// file is the agent's name among the checksums; {version} and {arch} are filled in. Without it, it is
	// machineadm-linux-{arch}.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	File string `json:"file,omitempty"`
	// checksumsFrom has the checksums, in lines as sha256sum writes them.
	// +required
	ChecksumsFrom ContentSource `json:"checksumsFrom,omitzero"`
	// signatureFrom has the signature of the checksums, in base64: ECDSA or RSA (PKCS #1 v1.5) over their SHA-256, or
	// Ed25519.
	// +required
	SignatureFrom ContentSource `json:"signatureFrom,omitzero"`
	// publicKeyFrom has the public key of who releases, in PEM.
	// +required
	PublicKeyFrom ContentSource `json:"publicKeyFrom,omitzero"`
}

// DeliveryEncryption says with what the agent's configuration is encrypted. The providers file and remote have a
// passphrase that is known here and on the machine; every other has a key management service, which wraps a new
// passphrase for each machine.
//
// +kubebuilder:validation:XValidation:rule="(self.provider in ['file', 'remote']) == has(self.passphraseSecretRef)",message="passphraseSecretRef is for the providers file and remote, which need it"
// +kubebuilder:validation:XValidation:rule="(self.provider in ['file', 'remote']) == has(self.passphraseURI)",message="passphraseURI is for the providers file and remote, which need it"
// +kubebuilder:validation:XValidation:rule="!(self.provider in ['file', 'remote']) || !has(self.key)",message="key is for providers with a key management service"
type DeliveryEncryption struct {
	// provider is file, remote, or the end of the name of a plugin machineadm-plugin-encryption-provider-… that the
	// controller and the machine have, such as aws-kms, kms-v2 or pkcs11.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9-]*$`
	Provider string `json:"provider,omitempty"`
	// key is what the key management service calls the key, such as an ARN or a PKCS#11 URI. Without it, it is the
	// service's own choice, if it has one.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	Key string `json:"key,omitempty"`
	// passphraseSecretRef names the passphrase: at least 16 bytes. One line end at its end does not belong to it.
	// +optional
	PassphraseSecretRef *KeyReference `json:"passphraseSecretRef,omitempty"`
	// passphraseURI is where the machine finds the passphrase: file:///PATH for the provider file, and for remote what a
	// machineadm-remote-configuration-provider-… fetches, such as s3://bucket/key.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	PassphraseURI string `json:"passphraseURI,omitempty"`
	// iterations are the rounds of key derivation. Without it they are 210000.
	// +optional
	// +kubebuilder:validation:Minimum=50000
	// +kubebuilder:validation:Maximum=10000000
	Iterations int32 `json:"iterations,omitempty"`
}
