package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachineBootstrapConfigTemplate is the pattern from which MachineSets and control planes make configs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=machinebootstrapconfigtemplates,scope=Namespaced,shortName=mbct,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="OS",type=string,JSONPath=`.spec.template.spec.os.distribution`,description="Operating system"
// +kubebuilder:printcolumn:name="Version",type=string,JSONPath=`.spec.template.spec.os.version`,description="Version of the operating system"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type MachineBootstrapConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec holds the pattern.
	// +required
	Spec MachineBootstrapConfigTemplateSpec `json:"spec,omitzero"`
}

// MachineBootstrapConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type MachineBootstrapConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachineBootstrapConfigTemplate `json:"items"`
}

// MachineBootstrapConfigTemplateSpec holds the pattern.
type MachineBootstrapConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template MachineBootstrapConfigTemplateResource `json:"template,omitzero"`
}

// MachineBootstrapConfigTemplateResource is the pattern of a config.
type MachineBootstrapConfigTemplateResource struct {
	// metadata is given to each config.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each config.
	// +required
	Spec MachineBootstrapConfigSpec `json:"spec,omitzero"`
}

// TemplateMeta is the metadata that each config gets.
//
// +kubebuilder:validation:MinProperties=1
type TemplateMeta struct {
	// labels are given to each config.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are given to each config.
	// +optional
	Annotations map[string]string `json:"annotations,omitempty"`
}
