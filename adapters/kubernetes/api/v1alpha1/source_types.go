package v1alpha1

// KeyReference names a key of a Secret or ConfigMap in the namespace of the config.
type KeyReference struct {
	// name is the name of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
	// key is the key in the object's data.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key,omitempty"`
	// optional means that the object or the key can be missing; the setting is skipped then. The default is false: the
	// machine waits until both exist.
	// +optional
	Optional bool `json:"optional,omitempty"`
}

// ContentSource is the source of a content.
//
// +kubebuilder:validation:ExactlyOneOf=secret;configMap
type ContentSource struct {
	// secret names a key of a Secret.
	// +optional
	Secret *KeyReference `json:"secret,omitempty"`
	// configMap names a key of a ConfigMap.
	// +optional
	ConfigMap *KeyReference `json:"configMap,omitempty"`
}

// SecretSource is the source of a confidential content, which must not be part of a spec.
type SecretSource struct {
	// secret names a key of a Secret.
	// +required
	Secret KeyReference `json:"secret,omitzero"`
}

// Content is a text or its source.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type Content struct {
	// content is the text itself.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom reads the text from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}

// Part is a piece of a value: a text, or a fact that the machine or the controller fills in. The facts replace the
// placeholders of cloud-init, and have the same value on every operating system.
//
// +kubebuilder:validation:ExactlyOneOf=text;textFrom;fact;metadata
// +kubebuilder:validation:XValidation:rule="!has(self.encoding) || has(self.text) || has(self.textFrom)",message="encoding requires text or textFrom"
type Part struct {
	// encoding is the encoding of text, or of the data that textFrom names. The default is plain text.
	// +optional
	Encoding Encoding `json:"encoding,omitempty"`
	// text is the piece itself.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Text string `json:"text,omitempty"`
	// textFrom reads the piece from a Secret or ConfigMap. A Secret is allowed only in files.
	// +optional
	TextFrom *ContentSource `json:"textFrom,omitempty"`
	// fact is the name of a value that is not known when the spec is written.
	// +optional
	Fact InstanceFact `json:"fact,omitempty"`
	// metadata is the path of a value in the platform's metadata, such as uuid: keys with dots in between. An underscore
	// also matches a hyphen. The path is that below ds.meta_data of cloud-init; other systems know few of the values.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$`
	Metadata string `json:"metadata,omitempty"`
}

// InstanceFact is the name of a value that only the running machine provides, or of one that the controller inserts:
// machineName, clusterName or controlPlaneVersion. docs/facts.md describes each fact.
//
// +kubebuilder:validation:Enum=hostname;shortHostname;fqdn;privateIPv4;publicIPv4;ipv6;instanceID;region;zone;machineName;clusterName;controlPlaneVersion
type InstanceFact string

// Encoding is the encoding of a content.
//
// +kubebuilder:validation:Enum=base64;gzip;gzip+base64
type Encoding string

// The encodings. Without one, content is plain text.
const (
	// EncodingBase64 is base64 with the standard alphabet. White space is ignored.
	EncodingBase64 Encoding = "base64"
	// EncodingGzip is gzip, for data of a Secret or ConfigMap.
	EncodingGzip Encoding = "gzip"
	// EncodingGzipBase64 is base64 of gzip.
	EncodingGzipBase64 Encoding = "gzip+base64"
)

// TemplateReference names a bootstrap template in the namespace of the config: the key template of a ConfigMap or
// Secret. It is a text in the syntax of Go templates that supports only machine_config, base64 and gzipBase64.
type TemplateReference struct {
	// kind is ConfigMap or Secret.
	// +required
	// +kubebuilder:validation:Enum=ConfigMap;Secret
	Kind string `json:"kind,omitempty"`
	// name is the name of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
}
