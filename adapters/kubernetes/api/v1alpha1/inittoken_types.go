package v1alpha1

// InitTokenSpec is a bootstrap token that the first machine creates in the cluster.
type InitTokenSpec struct {
	// tokenFrom reads the token from a Secret: six lower-case letters and digits, a dot, and sixteen more. If the Secret
	// is optional and missing, the token is skipped.
	// +required
	TokenFrom SecretSource `json:"tokenFrom,omitzero"`
	// description describes the purpose of the token. The default is empty.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Description string `json:"description,omitempty"`
	// ttlSeconds is how long the token is valid, in seconds; 0 means that it does not expire. The default is 86400.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	TTLSeconds *int32 `json:"ttlSeconds,omitempty"`
	// usages are signing and authentication. The default is both. kubeadm requires authentication.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:validation:items:Enum=signing;authentication
	// +kubebuilder:validation:XValidation:rule="'authentication' in self",message="usages must contain authentication"
	Usages []string `json:"usages,omitempty"`
	// groups are the groups of a client with this token, such as system:bootstrappers:site. The default is
	// system:bootstrappers:kubeadm:default-node-token, whose members may join.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=277
	// +kubebuilder:validation:items:Pattern=`^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$`
	Groups []string `json:"groups,omitempty"`
}
