package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// TimeSyncConfig configures time synchronisation. It is a plugin with the fields of the same group of a
// MachineBootstrapConfig, which names it in spec.pluginRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=timesyncconfigs,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move-hierarchy="}
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether its documents are there"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why they are or are not"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.secretName`,priority=1,description="Secret that holds its documents"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type TimeSyncConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec configures the daemon and its servers.
	// +required
	Spec TimeSyncConfigSpec `json:"spec,omitzero"`
	// status names the Secret with the documents.
	// +optional
	Status PluginStatus `json:"status,omitempty,omitzero"`
}

// TimeSyncConfigList is a list of TimeSyncConfigs.
//
// +kubebuilder:object:root=true
type TimeSyncConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TimeSyncConfig `json:"items"`
}

// TimeSyncConfigTemplate is the template of the TimeSyncConfigs that are created for machines that name it in
// spec.pluginTemplateRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=timesyncconfigtemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type TimeSyncConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec contains the template.
	// +required
	Spec TimeSyncConfigTemplateSpec `json:"spec,omitzero"`
}

// TimeSyncConfigTemplateList is a list of TimeSyncConfigTemplates.
//
// +kubebuilder:object:root=true
type TimeSyncConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TimeSyncConfigTemplate `json:"items"`
}

// TimeSyncConfigTemplateSpec contains the template.
type TimeSyncConfigTemplateSpec struct {
	// template is the template of a TimeSyncConfig.
	// +required
	Template TimeSyncConfigTemplateResource `json:"template,omitzero"`
}

// TimeSyncConfigTemplateResource is the template of a TimeSyncConfig.
type TimeSyncConfigTemplateResource struct {
	// metadata contains the labels and annotations of each TimeSyncConfig.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each TimeSyncConfig.
	// +required
	Spec TimeSyncConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the controller of machineadm's own kinds of plugins.
func (c *TimeSyncConfig) PluginStatus() *PluginStatus { return &c.Status }
