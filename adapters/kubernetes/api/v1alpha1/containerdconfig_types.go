package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ContainerdConfig configures containerd. It is a plugin with the fields of the same group of a MachineBootstrapConfig,
// which names it in spec.pluginRefs.
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

	// spec configures containerd.
	// +required
	Spec ContainerdConfigSpec `json:"spec,omitzero"`
	// status names the Secret with the documents.
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

// ContainerdConfigTemplate is the template of the ContainerdConfigs that are created for machines that name it in
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

	// spec contains the template.
	// +required
	Spec ContainerdConfigTemplateSpec `json:"spec,omitzero"`
}

// ContainerdConfigTemplateList is a list of ContainerdConfigTemplates.
//
// +kubebuilder:object:root=true
type ContainerdConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ContainerdConfigTemplate `json:"items"`
}

// ContainerdConfigTemplateSpec contains the template.
type ContainerdConfigTemplateSpec struct {
	// template is the template of a ContainerdConfig.
	// +required
	Template ContainerdConfigTemplateResource `json:"template,omitzero"`
}

// ContainerdConfigTemplateResource is the template of a ContainerdConfig.
type ContainerdConfigTemplateResource struct {
	// metadata contains the labels and annotations of each ContainerdConfig.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each ContainerdConfig.
	// +required
	Spec ContainerdConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the controller of machineadm's own kinds of plugins.
func (c *ContainerdConfig) PluginStatus() *PluginStatus { return &c.Status }
