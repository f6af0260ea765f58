package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ContainerdConfig configures containerd. It is the group of a MachineBootstrapConfig's spec as an object of its own,
// for configs to name in spec.pluginRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=containerdconfigs,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move-hierarchy="}
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether its documents are there"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why they are or are not"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.secretName`,priority=1,description="Secret that holds its documents"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type ContainerdConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says how containerd is configured.
	// +required
	Spec ContainerdConfigSpec `json:"spec,omitzero"`
	// status tells where its documents are.
	// +optional
	Status PluginStatus `json:"status,omitempty,omitzero"`
}

// ContainerdConfigList is a list of ContainerdConfigs.
//
// +kubebuilder:object:root=true
type ContainerdConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ContainerdConfig `json:"items"`
}

// ContainerdConfigTemplate is the pattern from which a ContainerdConfig is made for each machine that names it in
// spec.pluginTemplateRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=containerdconfigtemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type ContainerdConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec holds the pattern.
	// +required
	Spec ContainerdConfigTemplateSpec `json:"spec,omitzero"`
}

// ContainerdConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type ContainerdConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ContainerdConfigTemplate `json:"items"`
}

// ContainerdConfigTemplateSpec holds the pattern.
type ContainerdConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template ContainerdConfigTemplateResource `json:"template,omitzero"`
}

// ContainerdConfigTemplateResource is the pattern of a ContainerdConfig.
type ContainerdConfigTemplateResource struct {
	// metadata is given to each of them.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each of them.
	// +required
	Spec ContainerdConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the one controller of our kinds of plugins.
func (c *ContainerdConfig) PluginStatus() *PluginStatus { return &c.Status }
