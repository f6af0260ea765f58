package v1alpha1

// HardeningConfigSpec has a machine answer the checks of a benchmark as far as its configuration can. docs/hardening.md
// lists each check with what answers it. What the other groups say of the same setting goes before, and is told as a
// warning.
type HardeningConfigSpec struct {
	// profile is CIS, the CIS Kubernetes Benchmark, or STIG, the Kubernetes Security Technical Implementation Guide.
	// +required
	// +kubebuilder:validation:Enum=CIS;STIG
	Profile string `json:"profile,omitempty"`
	// except are checks that the machine shall not answer, such as 4.2.6 or CNTR-K8-000150.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=128
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=64
	// +kubebuilder:validation:items:Pattern=`^[A-Za-z0-9][A-Za-z0-9.-]*$`
	Except []string `json:"except,omitempty"`
}
