package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachineBootstrapConfigTemplate is the template from which MachineSets and control plane providers create
// MachineBootstrapConfigs.
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

	// spec contains the template.
	// +required
	Spec MachineBootstrapConfigTemplateSpec `json:"spec,omitzero"`
}

// MachineBootstrapConfigTemplateList is a list of MachineBootstrapConfigTemplates.
//
// +kubebuilder:object:root=true
type MachineBootstrapConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachineBootstrapConfigTemplate `json:"items"`
}

// MachineBootstrapConfigTemplateSpec contains the template.
type MachineBootstrapConfigTemplateSpec struct {
	// template is the template of a MachineBootstrapConfig.
	// +required
	Template MachineBootstrapConfigTemplateResource `json:"template,omitzero"`
}

// MachineBootstrapConfigTemplateResource is the template of a MachineBootstrapConfig.
type MachineBootstrapConfigTemplateResource struct {
	// metadata contains the labels and annotations of each config.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each config.
	// +required
	Spec MachineBootstrapConfigSpec `json:"spec,omitzero"`
}

// TemplateMeta contains the labels and annotations of each created object.
//
// +kubebuilder:validation:MinProperties=1
type TemplateMeta struct {
	// labels are added to each created object.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are added to each created object.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	Annotations map[string]string `json:"annotations,omitempty"`
}
