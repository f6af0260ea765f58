package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// DeliverySpec says how the userdata is handed over. Without it, it follows from the format and from the kind of the machine's
// infrastructure object.
type DeliverySpec struct {
	// compression is Auto, None or Gzip. Auto, the default, compresses userdata that would be too large otherwise, where it is
	// known that the infrastructure provider carries it and that the machine reads it.
	// +optional
	// +kubebuilder:validation:Enum=Auto;None;Gzip
	Compression string `json:"compression,omitempty"`
	// encoding is None or Base64. Base64 is for infrastructure that carries text alone and decodes it on the machine.
	// +optional
	// +kubebuilder:validation:Enum=None;Base64
	Encoding string `json:"encoding,omitempty"`
	// maxPayloadSize is the most that the platform takes, in bytes, such as 16Ki. Without it, it is what is known of the kind of
	// the infrastructure object. Userdata that is larger is not published.
	// +optional
	MaxPayloadSize *resource.Quantity `json:"maxPayloadSize,omitempty"`
	// parts are scripts that travel beside the machine's own configuration, as parts of one MIME message. They are for cloud-init.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Parts []DeliveryPart `json:"parts,omitempty"`
}

// DeliveryPart is a script that cloud-init runs itself. It takes no part in the bootstrap: its failure does not stop it.
//
// +kubebuilder:validation:ExactlyOneOf=text;textFrom
type DeliveryPart struct {
	// name is the file name of the script. cloud-init runs scripts in the order of their names; the bootstrap's is runcmd.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_][A-Za-z0-9._-]*$`
	Name string `json:"name,omitempty"`
	// contentType is text/x-shellscript, which runs once at the end of the first boot, or text/cloud-boothook, which runs early
	// at every boot.
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
