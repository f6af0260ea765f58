package v1alpha1

// KeyReference names a key of a Secret or ConfigMap in the namespace of the config.
type KeyReference struct {
	// name is the object's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
	// key is the key in its data.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key,omitempty"`
	// optional says that the object or the key may be missing. What would have been filled in is then left out. Without
	// it the machine waits until both are there.
	// +optional
	Optional bool `json:"optional,omitempty"`
}

// ContentSource is a place from which bytes are taken.
//
// +kubebuilder:validation:ExactlyOneOf=secret;configMap
type ContentSource struct {
	// secret takes them from a Secret.
	// +optional
	Secret *KeyReference `json:"secret,omitempty"`
	// configMap takes them from a ConfigMap.
	// +optional
	ConfigMap *KeyReference `json:"configMap,omitempty"`
}

// SecretSource is a place from which confidential bytes are taken. They are not written into specs.
type SecretSource struct {
	// secret takes them from a Secret.
	// +required
	Secret KeyReference `json:"secret,omitzero"`
}

// Content is a text, or a place from which it is taken.
//
// +kubebuilder:validation:ExactlyOneOf=content;contentFrom
type Content struct {
	// content is the text itself.
	// +optional
	// +kubebuilder:validation:MaxLength=1048576
	Content string `json:"content,omitempty"`
	// contentFrom takes the text from a Secret or ConfigMap.
	// +optional
	ContentFrom *ContentSource `json:"contentFrom,omitempty"`
}

// InstanceFact names something that only the running machine knows.
//
// +kubebuilder:validation:Enum=hostname;privateIPv4;publicIPv4;instanceID;region;zone
type InstanceFact string

// InstanceSource is a value that is filled in on the machine.
type InstanceSource struct {
	// instance names the fact: hostname, privateIPv4, publicIPv4, instanceID, region or zone.
	// +required
	Instance InstanceFact `json:"instance,omitempty"`
}

// Encoding says how content is written down.
//
// +kubebuilder:validation:Enum=base64;gzip+base64
type Encoding string

// The encodings. Without one, content is plain text.
const (
	// EncodingBase64 is base64 with the standard alphabet; white space is ignored.
	EncodingBase64 Encoding = "base64"
	// EncodingGzipBase64 is base64 of gzip.
	EncodingGzipBase64 Encoding = "gzip+base64"
)

// TemplateReference names a bootstrap template in the namespace of the config: the key template of a ConfigMap or
// Secret, text in the syntax of Go's templates with machine_config, base64 and gzipBase64, and nothing else of that
// language.
type TemplateReference struct {
	// kind is ConfigMap or Secret.
	// +required
	// +kubebuilder:validation:Enum=ConfigMap;Secret
	Kind string `json:"kind,omitempty"`
	// name is the object's name.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
}
