package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// TimeSyncConfig says where machines get the time. It is the group of a MachineBootstrapConfig's spec as an object of
// its own, for configs to name in spec.pluginRefs.
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

	// spec says where machines get the time.
	// +required
	Spec TimeSyncConfigSpec `json:"spec,omitzero"`
	// status tells where its documents are.
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

// TimeSyncConfigTemplate is the pattern from which a TimeSyncConfig is made for each machine that names it in
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

	// spec holds the pattern.
	// +required
	Spec TimeSyncConfigTemplateSpec `json:"spec,omitzero"`
}

// TimeSyncConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type TimeSyncConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TimeSyncConfigTemplate `json:"items"`
}

// TimeSyncConfigTemplateSpec holds the pattern.
type TimeSyncConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template TimeSyncConfigTemplateResource `json:"template,omitzero"`
}

// TimeSyncConfigTemplateResource is the pattern of a TimeSyncConfig.
type TimeSyncConfigTemplateResource struct {
	// metadata is given to each of them.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each of them.
	// +required
	Spec TimeSyncConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the one controller of our kinds of plugins.
func (c *TimeSyncConfig) PluginStatus() *PluginStatus { return &c.Status }
