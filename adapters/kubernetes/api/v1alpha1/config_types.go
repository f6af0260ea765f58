package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachineBootstrapConfig describes one machine of a cluster, whatever its operating system. The controller turns it
// into the userdata that the machine reads at its first boot.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() || !self.metadata.name.endsWith('-kubeconfig')",optionalOldSelf=true,message="metadata.name must not end in -kubeconfig: the bootstrap data Secret has the same name, and Cluster API would take it for the kubeconfig of a cluster; choose another name"
// +kubebuilder:resource:path=machinebootstrapconfigs,scope=Namespaced,shortName=mbc,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Cluster",type=string,JSONPath=`.metadata.labels['cluster\.x-k8s\.io/cluster-name']`,description="Cluster"
// +kubebuilder:printcolumn:name="OS",type=string,JSONPath=`.spec.os.distribution`,description="Operating system"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether the bootstrap data is published"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it is or is not ready"
// +kubebuilder:printcolumn:name="Bootstrapped",type=string,JSONPath=`.status.conditions[?(@.type=="BootstrapSucceeded")].status`,description="Whether the machine's bootstrap succeeded, if it reports"
// +kubebuilder:printcolumn:name="Format",type=string,JSONPath=`.status.payload.format`,description="Format of the bootstrap data"
// +kubebuilder:printcolumn:name="Bytes",type=integer,JSONPath=`.status.payload.bytes`,priority=1,description="Size of the bootstrap data"
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.status.dataSecretName`,priority=1,description="Secret that holds the bootstrap data"
// +kubebuilder:printcolumn:name="Paused",type=string,JSONPath=`.status.conditions[?(@.type=="Paused")].status`,priority=1,description="Whether reconciliation is paused"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What keeps the machine from becoming a node"
type MachineBootstrapConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec is the description of the machine.
	// +required
	Spec MachineBootstrapConfigSpec `json:"spec,omitzero"`
	// status is what the controller made of it.
	// +optional
	Status MachineBootstrapConfigStatus `json:"status,omitempty,omitzero"`
}

// MachineBootstrapConfigList is a list of configs.
//
// +kubebuilder:object:root=true
type MachineBootstrapConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachineBootstrapConfig `json:"items"`
}

// Format names an output format that a machine boots, such as cloud-init or ignition. Which there are is the
// controller's knowledge, not the schema's: a name that it does not know is a condition that lists them.
//
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`
type Format string

// MachineBootstrapConfigSpec describes a machine.
//
// +kubebuilder:validation:XValidation:rule="!has(self.templateRef) || (has(self.delivery) && has(self.delivery.mode) && self.delivery.mode == 'Agent')",message="templateRef counts with the delivery mode Agent alone"
type MachineBootstrapConfigSpec struct {
	// os says which operating system the machine boots.
	// +required
	OS OSSpec `json:"os,omitzero"`
	// format overrides the format that the operating system reads by default.
	// +optional
	Format Format `json:"format,omitempty"`
	// formatOptions says more about the format.
	// +optional
	FormatOptions *FormatOptionsSpec `json:"formatOptions,omitempty"`
	// delivery says how the userdata is handed over.
	// +optional
	Delivery *DeliverySpec `json:"delivery,omitempty"`
	// templateRef names the userdata's own text, with a place for the agent's configuration. Without it the format says
	// what the agent needs. It counts with the delivery mode Agent alone.
	// +optional
	TemplateRef *TemplateReference `json:"templateRef,omitempty"`
	// storageRef names a resource that stores what the machine fetches at its first boot. The userdata is then a stub that
	// tells where that is and what its digest is. Without it the userdata holds everything.
	// +optional
	StorageRef *StorageReference `json:"storageRef,omitempty"`
	// reporting has the machine report how its bootstrap goes. Without it, nobody learns of that but by the node.
	// +optional
	Reporting *ReportingSpec `json:"reporting,omitempty"`
	// node says how the machine becomes a node.
	// +optional
	Node *NodeConfigSpec `json:"node,omitempty"`
	// controlPlane configures the control plane components. It is for control plane machines only.
	// +optional
	ControlPlane *ControlPlaneConfigSpec `json:"controlPlane,omitempty"`
	// machine says what the operating system shall be like.
	// +optional
	Machine *MachineSpec `json:"machine,omitempty"`
	// hardening has the machine answer the checks of a benchmark.
	// +optional
	Hardening *HardeningConfigSpec `json:"hardening,omitempty"`
	// pluginRefs name resources of any kind whose documents join those of the other groups, after them.
	// +optional
	// +listType=map
	// +listMapKey=apiGroup
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	PluginRefs []PluginReference `json:"pluginRefs,omitempty"`
	// pluginTemplateRefs name templates from which a plugin is made for this machine alone.
	// +optional
	// +listType=map
	// +listMapKey=apiGroup
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:XValidation:rule="self.all(r, r.kind.endsWith('Template') && r.kind != 'Template')",message="a template's kind is that of the plugin and ends in Template"
	PluginTemplateRefs []PluginReference `json:"pluginTemplateRefs,omitempty"`
}

// OSSpec names an operating system.
type OSSpec struct {
	// distribution is the ID of os-release(5), such as flatcar, fedora-coreos, ubuntu or debian. It is the ID of the
	// profile if profileFrom is given.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9._-]*$`
	Distribution string `json:"distribution,omitempty"`
	// version is the distribution's version, such as 4230.2.0 or 24.04. Without it a current one is assumed.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9A-Za-z][0-9A-Za-z._+-]*$`
	Version string `json:"version,omitempty"`
	// architecture is amd64 or arm64. Without it amd64 is assumed.
	// +optional
	// +kubebuilder:validation:Enum=amd64;arm64
	Architecture string `json:"architecture,omitempty"`
	// platform is the infrastructure that boots the machine, such as aws, azure, gcp, openstack or vmware.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9-]*$`
	Platform string `json:"platform,omitempty"`
	// profileFrom takes what is known of the distribution from a ConfigMap, in place of the profile of that name that
	// machineadm has, if it has one.
	// +optional
	ProfileFrom *ProfileSource `json:"profileFrom,omitempty"`
}

// ProfileSource is a place from which a profile of an operating system is taken.
type ProfileSource struct {
	// configMap has the profile, as YAML. An optional one that is missing leaves machineadm's own.
	// +required
	ConfigMap KeyReference `json:"configMap,omitzero"`
}

// FormatOptionsSpec says more about the format.
type FormatOptionsSpec struct {
	// version asks for a version of the format, such as 3.4.0. Without it the newest that the operating system reads is
	// written.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+){0,2}$`
	Version string `json:"version,omitempty"`
	// snippets are texts in the format's own language (cloud-config, Butane, Container Linux Config), merged into the
	// output by that format's rules, in their order.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Snippets []Snippet `json:"snippets,omitempty"`
}

// Snippet is a text in the language of a format.
//
// +kubebuilder:validation:ExactlyOneOf=text;textFrom
type Snippet struct {
	// format is the format in whose language the text is. Without it, it is that of the machine. A snippet of another
	// format is left out.
	// +optional
	Format Format `json:"format,omitempty"`
	// text is the text itself.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1048576
	Text string `json:"text,omitempty"`
	// textFrom takes the text from a Secret or ConfigMap.
	// +optional
	TextFrom *ContentSource `json:"textFrom,omitempty"`
	// strict makes warnings about the text errors.
	// +optional
	Strict bool `json:"strict,omitempty"`
}

// MachineBootstrapConfigStatus is what the controller made of a config.
type MachineBootstrapConfigStatus struct {
	// initialization tells readers of contract v1beta2 whether the bootstrap data is there.
	// +optional
	Initialization InitializationStatus `json:"initialization,omitempty,omitzero"`
	// ready tells readers of contract v1beta1 whether the bootstrap data is there.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// dataSecretName names the Secret that holds the bootstrap data.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	DataSecretName string `json:"dataSecretName,omitempty"`
	// payload describes the bootstrap data.
	// +optional
	Payload *PayloadStatus `json:"payload,omitempty"`
	// pluginConditions tell what has become of each plugin that the spec names, in its order, and of those made from
	// templates.
	// +optional
	// +listType=map
	// +listMapKey=apiGroup
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=128
	PluginConditions []PluginCondition `json:"pluginConditions,omitempty"`
	// bootstrap is what the machine reported itself.
	// +optional
	Bootstrap *BootstrapStatus `json:"bootstrap,omitempty"`
	// conditions tell how far the config has come: Ready, DataSecretAvailable, CertificatesAvailable, Paused, on control
	// plane machines of Talos ControlPlaneStarted, of machines that report BootstrapSucceeded, and where published data
	// could not be looked after DataSecretMaintained.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status is about.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// failureReason is set only if the machine can never come up. It is terminal for the Machine.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	FailureReason *string `json:"failureReason,omitempty"`
	// failureMessage says why the machine can never come up.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	FailureMessage *string `json:"failureMessage,omitempty"`
}

// InitializationStatus tells whether the bootstrap data was made.
//
// +kubebuilder:validation:MinProperties=1
type InitializationStatus struct {
	// dataSecretCreated is true once the Secret was made. It never turns back.
	// +optional
	DataSecretCreated *bool `json:"dataSecretCreated,omitempty"`
}

// PayloadStatus describes the bootstrap data, without showing it.
type PayloadStatus struct {
	// format is the format of the data.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Format string `json:"format,omitempty"`
	// formatVersion is the version of the format, where it has versions.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	FormatVersion string `json:"formatVersion,omitempty"`
	// bytes is the size of the data.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Bytes int64 `json:"bytes,omitempty"`
	// envelope is what is laid around the data, innermost first, such as gzip.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Envelope string `json:"envelope,omitempty"`
	// warnings is how many warnings were found while the data was made; the conditions name them.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Warnings int32 `json:"warnings,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (c *MachineBootstrapConfig) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (c *MachineBootstrapConfig) SetConditions(conditions []metav1.Condition) {
	c.Status.Conditions = conditions
}

// DataSecretCreated reports whether the bootstrap data was made.
func (s *MachineBootstrapConfigStatus) DataSecretCreated() bool {
	return s.Initialization.DataSecretCreated != nil && *s.Initialization.DataSecretCreated
}
