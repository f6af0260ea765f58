package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ControlPlaneConfig configures the components of control plane machines. It is the group of a MachineBootstrapConfig's
// spec as an object of its own, for configs to name in spec.pluginRefs.
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

	// spec says how control plane components are configured.
	// +required
	Spec ControlPlaneConfigSpec `json:"spec,omitzero"`
	// status tells where its documents are.
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

// ControlPlaneConfigTemplate is the pattern from which a ControlPlaneConfig is made for each machine that names it in
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

	// spec holds the pattern.
	// +required
	Spec ControlPlaneConfigTemplateSpec `json:"spec,omitzero"`
}

// ControlPlaneConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type ControlPlaneConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ControlPlaneConfigTemplate `json:"items"`
}

// ControlPlaneConfigTemplateSpec holds the pattern.
type ControlPlaneConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template ControlPlaneConfigTemplateResource `json:"template,omitzero"`
}

// ControlPlaneConfigTemplateResource is the pattern of a ControlPlaneConfig.
type ControlPlaneConfigTemplateResource struct {
	// metadata is given to each of them.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each of them.
	// +required
	Spec ControlPlaneConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the one controller of our kinds of plugins.
func (c *ControlPlaneConfig) PluginStatus() *PluginStatus { return &c.Status }
