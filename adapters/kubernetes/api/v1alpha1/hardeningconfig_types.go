package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// HardeningConfig applies the settings of a security benchmark. It is a plugin with the fields of the same group of a
// MachineBootstrapConfig, which names it in spec.pluginRefs.
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

	// spec selects the benchmark.
	// +required
	Spec HardeningConfigSpec `json:"spec,omitzero"`
	// status names the Secret with the documents.
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

// HardeningConfigTemplate is the template of the HardeningConfigs that are created for machines that name it in
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

	// spec contains the template.
	// +required
	Spec HardeningConfigTemplateSpec `json:"spec,omitzero"`
}

// HardeningConfigTemplateList is a list of HardeningConfigTemplates.
//
// +kubebuilder:object:root=true
type HardeningConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HardeningConfigTemplate `json:"items"`
}

// HardeningConfigTemplateSpec contains the template.
type HardeningConfigTemplateSpec struct {
	// template is the template of a HardeningConfig.
	// +required
	Template HardeningConfigTemplateResource `json:"template,omitzero"`
}

// HardeningConfigTemplateResource is the template of a HardeningConfig.
type HardeningConfigTemplateResource struct {
	// metadata contains the labels and annotations of each HardeningConfig.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each HardeningConfig.
	// +required
	Spec HardeningConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the controller of machineadm's own kinds of plugins.
func (c *HardeningConfig) PluginStatus() *PluginStatus { return &c.Status }
