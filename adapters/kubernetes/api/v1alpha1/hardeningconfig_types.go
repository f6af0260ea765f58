package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// HardeningConfig has machines answer the checks of a benchmark. It is the group of a MachineBootstrapConfig's spec as
// an object of its own, for configs to name in spec.pluginRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=hardeningconfigs,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move-hierarchy="}
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether its documents are there"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why they are or are not"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.secretName`,priority=1,description="Secret that holds its documents"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type HardeningConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which benchmark machines answer.
	// +required
	Spec HardeningConfigSpec `json:"spec,omitzero"`
	// status tells where its documents are.
	// +optional
	Status PluginStatus `json:"status,omitempty,omitzero"`
}

// HardeningConfigList is a list of HardeningConfigs.
//
// +kubebuilder:object:root=true
type HardeningConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HardeningConfig `json:"items"`
}

// HardeningConfigTemplate is the pattern from which a HardeningConfig is made for each machine that names it in
// spec.pluginTemplateRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=hardeningconfigtemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type HardeningConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec holds the pattern.
	// +required
	Spec HardeningConfigTemplateSpec `json:"spec,omitzero"`
}

// HardeningConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type HardeningConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HardeningConfigTemplate `json:"items"`
}

// HardeningConfigTemplateSpec holds the pattern.
type HardeningConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template HardeningConfigTemplateResource `json:"template,omitzero"`
}

// HardeningConfigTemplateResource is the pattern of a HardeningConfig.
type HardeningConfigTemplateResource struct {
	// metadata is given to each of them.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each of them.
	// +required
	Spec HardeningConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the one controller of our kinds of plugins.
func (c *HardeningConfig) PluginStatus() *PluginStatus { return &c.Status }
