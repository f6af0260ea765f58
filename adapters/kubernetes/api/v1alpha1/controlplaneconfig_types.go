package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ControlPlaneConfig configures the control plane components. It is a plugin with the fields of the same group of a
// MachineBootstrapConfig, which names it in spec.pluginRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=controlplaneconfigs,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move-hierarchy="}
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether its documents are there"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why they are or are not"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.secretName`,priority=1,description="Secret that holds its documents"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type ControlPlaneConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec configures the control plane components.
	// +required
	Spec ControlPlaneConfigSpec `json:"spec,omitzero"`
	// status names the Secret with the documents.
	// +optional
	Status PluginStatus `json:"status,omitempty,omitzero"`
}

// ControlPlaneConfigList is a list of ControlPlaneConfigs.
//
// +kubebuilder:object:root=true
type ControlPlaneConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ControlPlaneConfig `json:"items"`
}

// ControlPlaneConfigTemplate is the template of the ControlPlaneConfigs that are created for machines that name it in
// spec.pluginTemplateRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=controlplaneconfigtemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type ControlPlaneConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec contains the template.
	// +required
	Spec ControlPlaneConfigTemplateSpec `json:"spec,omitzero"`
}

// ControlPlaneConfigTemplateList is a list of ControlPlaneConfigTemplates.
//
// +kubebuilder:object:root=true
type ControlPlaneConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ControlPlaneConfigTemplate `json:"items"`
}

// ControlPlaneConfigTemplateSpec contains the template.
type ControlPlaneConfigTemplateSpec struct {
	// template is the template of a ControlPlaneConfig.
	// +required
	Template ControlPlaneConfigTemplateResource `json:"template,omitzero"`
}

// ControlPlaneConfigTemplateResource is the template of a ControlPlaneConfig.
type ControlPlaneConfigTemplateResource struct {
	// metadata contains the labels and annotations of each ControlPlaneConfig.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each ControlPlaneConfig.
	// +required
	Spec ControlPlaneConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the controller of machineadm's own kinds of plugins.
func (c *ControlPlaneConfig) PluginStatus() *PluginStatus { return &c.Status }
