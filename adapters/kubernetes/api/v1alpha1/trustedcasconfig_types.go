package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// TrustedCAsConfig adds certificates to the trust stores of machines. It is a plugin with the fields of the same group
// of a MachineBootstrapConfig, which names it in spec.pluginRefs.
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

	// spec contains the trusted certificates.
	// +required
	Spec TrustedCAsConfigSpec `json:"spec,omitzero"`
	// status names the Secret with the documents.
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

// TrustedCAsConfigTemplate is the template of the TrustedCAsConfigs that are created for machines that name it in
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

	// spec contains the template.
	// +required
	Spec TrustedCAsConfigTemplateSpec `json:"spec,omitzero"`
}

// TrustedCAsConfigTemplateList is a list of TrustedCAsConfigTemplates.
//
// +kubebuilder:object:root=true
type TrustedCAsConfigTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []TrustedCAsConfigTemplate `json:"items"`
}

// TrustedCAsConfigTemplateSpec contains the template.
type TrustedCAsConfigTemplateSpec struct {
	// template is the template of a TrustedCAsConfig.
	// +required
	Template TrustedCAsConfigTemplateResource `json:"template,omitzero"`
}

// TrustedCAsConfigTemplateResource is the template of a TrustedCAsConfig.
type TrustedCAsConfigTemplateResource struct {
	// metadata contains the labels and annotations of each TrustedCAsConfig.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each TrustedCAsConfig.
	// +required
	Spec TrustedCAsConfigSpec `json:"spec,omitzero"`
}

// PluginStatus returns the status, for the controller of machineadm's own kinds of plugins.
func (c *TrustedCAsConfig) PluginStatus() *PluginStatus { return &c.Status }
