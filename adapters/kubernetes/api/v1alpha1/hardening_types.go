package v1alpha1

// HardeningConfigSpec applies the settings of a security benchmark, as far as the machine's configuration can.
// docs/hardening.md lists each check and its setting. A setting in another group takes precedence and causes a warning.
type HardeningConfigSpec struct {
	// profile is CIS, the CIS Kubernetes Benchmark, or STIG, the Kubernetes Security Technical Implementation Guide.
	// +required
	// +kubebuilder:validation:Enum=CIS;STIG
	Profile string `json:"profile,omitempty"`
	// except are the checks whose settings are not applied, such as 4.2.6 or CNTR-K8-000150.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=128
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=64
	// +kubebuilder:validation:items:Pattern=`^[A-Za-z0-9][A-Za-z0-9.-]*$`
	Except []string `json:"except,omitempty"`
}
