package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// SysctlConfig sets kernel parameters. It is a plugin with the fields of the same group of a MachineBootstrapConfig,
// which names it in spec.pluginRefs.
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

	// spec contains the kernel parameters.
	// +required
	Spec SysctlConfigSpec `json:"spec,omitzero"`
	// status names the Secret with the documents.
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

// SysctlConfigTemplate is the template of the SysctlConfigs that are created for machines that name it in
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

	// spec contains the template.
	// +required
	Spec SysctlConfigTemplateSpec `json:"spec,omitzero"`
}

// SysctlConfigTemplateList is a list of SysctlConfigTemplates.
//
// +kubebuilder:object:root=true
type SysctlConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []SysctlConfigTemplate `json:"items"`
}

// SysctlConfigTemplateSpec contains the template.
type SysctlConfigTemplateSpec struct {
	// template is the template of a SysctlConfig.
	// +required
	Template SysctlConfigTemplateResource `json:"template,omitzero"`
}

// SysctlConfigTemplateResource is the template of a SysctlConfig.
type SysctlConfigTemplateResource struct {
	// metadata contains the labels and annotations of each SysctlConfig.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each SysctlConfig.
	// +required
	Spec SysctlConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the controller of machineadm's own kinds of plugins.
func (c *SysctlConfig) PluginStatus() *PluginStatus { return &c.Status }
