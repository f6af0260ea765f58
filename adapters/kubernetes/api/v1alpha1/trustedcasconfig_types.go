package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// TrustedCAsConfig adds certificates to the trust stores of machines. It is the group of a MachineBootstrapConfig's
// spec as an object of its own, for configs to name in spec.pluginRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=trustedcasconfigs,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move-hierarchy="}
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether its documents are there"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why they are or are not"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.secretName`,priority=1,description="Secret that holds its documents"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type TrustedCAsConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which certificates machines trust.
	// +required
	Spec TrustedCAsConfigSpec `json:"spec,omitzero"`
	// status tells where its documents are.
	// +optional
	Status PluginStatus `json:"status,omitempty,omitzero"`
}

// TrustedCAsConfigList is a list of TrustedCAsConfigs.
//
// +kubebuilder:object:root=true
type TrustedCAsConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrustedCAsConfig `json:"items"`
}

// TrustedCAsConfigTemplate is the pattern from which a TrustedCAsConfig is made for each machine that names it in
// spec.pluginTemplateRefs.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=trustedcasconfigtemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type TrustedCAsConfigTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec holds the pattern.
	// +required
	Spec TrustedCAsConfigTemplateSpec `json:"spec,omitzero"`
}

// TrustedCAsConfigTemplateList is a list of templates.
//
// +kubebuilder:object:root=true
type TrustedCAsConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrustedCAsConfigTemplate `json:"items"`
}

// TrustedCAsConfigTemplateSpec holds the pattern.
type TrustedCAsConfigTemplateSpec struct {
	// template is the pattern.
	// +required
	Template TrustedCAsConfigTemplateResource `json:"template,omitzero"`
}

// TrustedCAsConfigTemplateResource is the pattern of a TrustedCAsConfig.
type TrustedCAsConfigTemplateResource struct {
	// metadata is given to each of them.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is given to each of them.
	// +required
	Spec TrustedCAsConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the one controller of our kinds of plugins.
func (c *TrustedCAsConfig) PluginStatus() *PluginStatus { return &c.Status }
