package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// SysctlConfig sets kernel parameters. It is the group of a MachineBootstrapConfig's spec as an object of its own, for
// configs to name in spec.pluginRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=sysctlconfigs,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move-hierarchy="}
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether its documents are there"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why they are or are not"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.secretName`,priority=1,description="Secret that holds its documents"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type SysctlConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which kernel parameters are set.
	// +required
	Spec SysctlConfigSpec `json:"spec,omitzero"`
	// status tells where its documents are.
	// +optional
	Status PluginStatus `json:"status,omitempty,omitzero"`
}

// SysctlConfigList is a list of SysctlConfigs.
//
// +kubebuilder:object:root=true
type SysctlConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []SysctlConfig `json:"items"`
}

// SysctlConfigTemplate is the pattern from which a SysctlConfig is made for each machine that names it in
// spec.pluginTemplateRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=sysctlconfigtemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type SysctlConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec holds the pattern.
	// +required
	Spec SysctlConfigTemplateSpec `json:"spec,omitzero"`
}

// SysctlConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type SysctlConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []SysctlConfigTemplate `json:"items"`
}

// SysctlConfigTemplateSpec holds the pattern.
type SysctlConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template SysctlConfigTemplateResource `json:"template,omitzero"`
}

// SysctlConfigTemplateResource is the pattern of a SysctlConfig.
type SysctlConfigTemplateResource struct {
	// metadata is given to each of them.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each of them.
	// +required
	Spec SysctlConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the one controller of our kinds of plugins.
func (c *SysctlConfig) PluginStatus() *PluginStatus { return &c.Status }
