package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MachineBootstrapConfig describes one machine of a cluster, or a pool of machines, for any operating system. The
// controller renders it into the userdata that the machine reads at its first boot.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() || !self.metadata.name.endsWith('-kubeconfig')",optionalOldSelf=true,message="metadata.name must not end in -kubeconfig: the bootstrap data Secret has the same name, and Cluster API would use it as the kubeconfig of a cluster; choose another name"
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

	// spec describes the machine.
	// +required
	Spec MachineBootstrapConfigSpec `json:"spec,omitzero"`
	// status is what the controller observed last.
	// +optional
	Status MachineBootstrapConfigStatus `json:"status,omitempty,omitzero"`
}

// MachineBootstrapConfigList is a list of MachineBootstrapConfigs.
//
// +kubebuilder:object:root=true
type MachineBootstrapConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachineBootstrapConfig `json:"items"`
}

// Format is the name of an output format, such as cloud-init or ignition. The schema accepts any name. For an unknown
// one, the condition DataSecretAvailable lists the formats that the controller supports.
//
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`
type Format string

// MachineBootstrapConfigSpec describes a machine.
//
// +kubebuilder:validation:XValidation:rule="!has(self.templateRef) || (has(self.delivery) && has(self.delivery.mode) && self.delivery.mode == 'Agent')",message="templateRef requires delivery.mode Agent"
type MachineBootstrapConfigSpec struct {
	// os is the operating system that the machine boots.
	// +required
	OS OSSpec `json:"os,omitzero"`
	// format is the output format of the userdata. The default is the default format of the operating system.
	// +optional
	Format Format `json:"format,omitempty"`
	// formatOptions configures the output format.
	// +optional
	FormatOptions *FormatOptionsSpec `json:"formatOptions,omitempty"`
	// delivery configures how the userdata reaches the machine, and whether the agent applies it.
	// +optional
	Delivery *DeliverySpec `json:"delivery,omitempty"`
	// templateRef names a template of the userdata, into which the agent's configuration is inserted. It requires
	// delivery.mode Agent. Without it, the format renders what the agent needs.
	// +optional
	TemplateRef *TemplateReference `json:"templateRef,omitempty"`
	// storageRef names a storage resource for the configuration that the machine fetches at its first boot. The
	// userdata is then a stub with the URL and the digest. Without storageRef, the userdata contains the whole
	// configuration.
	// +optional
	StorageRef *StorageReference `json:"storageRef,omitempty"`
	// reporting makes the machine report the progress and the result of its bootstrap. Without it, the controller can
	// only detect whether the machine becomes a node.
	// +optional
	Reporting *ReportingSpec `json:"reporting,omitempty"`
	// node configures how the machine becomes a node.
	// +optional
	Node *NodeConfigSpec `json:"node,omitempty"`
	// controlPlane configures the control plane components. It is for control plane machines only.
	// +optional
	ControlPlane *ControlPlaneConfigSpec `json:"controlPlane,omitempty"`
	// machine configures the operating system: files, users, units, disks, packages, networks and the container runtime.
	// +optional
	Machine *MachineSpec `json:"machine,omitempty"`
	// hardening applies the settings of a security benchmark.
	// +optional
	Hardening *HardeningConfigSpec `json:"hardening,omitempty"`
	// pluginRefs names plugins: resources of any kind that follow the plugin contract. Their documents come after those
	// of the other groups.
	// +optional
	// +listType=map
	// +listMapKey=apiGroup
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	PluginRefs []PluginReference `json:"pluginRefs,omitempty"`
	// pluginTemplateRefs names templates from which the controller creates a plugin for this machine only.
	// +optional
	// +listType=map
	// +listMapKey=apiGroup
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:XValidation:rule="self.all(r, r.kind.endsWith('Template') && r.kind != 'Template')",message="kind must end in Template, such as SysctlConfigTemplate"
	PluginTemplateRefs []PluginReference `json:"pluginTemplateRefs,omitempty"`
}

// OSSpec identifies an operating system.
type OSSpec struct {
	// distribution is the operating system: the name of a profile, such as flatcar, fedora-coreos, ubuntu or debian, or
	// the ID of os-release(5), such as amzn or openEuler. With profileFrom it is the ID of that profile.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9][A-Za-z0-9._-]*$`
	Distribution string `json:"distribution,omitempty"`
	// version is the distribution's version, such as 4230.2.0 or 24.04, or the codename of a release of Ubuntu or Debian.
	// The default is a current version.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9A-Za-z][0-9A-Za-z._+-]*$`
	Version string `json:"version,omitempty"`
	// architecture is amd64 or arm64. The default is amd64.
	// +optional
	// +kubebuilder:validation:Enum=amd64;arm64
	Architecture string `json:"architecture,omitempty"`
	// platform is the infrastructure that boots the machine, such as aws, azure, gcp, openstack or vmware.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9-]*$`
	Platform string `json:"platform,omitempty"`
	// installDisk is the device to which the operating system installs itself when the machine boots from an ISO image or
	// the network, such as /dev/nvme0n1 or a link below /dev/disk/by-id. Talos only. The default is /dev/sda. Images that
	// are already on a disk ignore it.
	// +optional
	// +kubebuilder:validation:MaxLength=255
	// +kubebuilder:validation:Pattern=`^/dev/[!-~]+$`
	InstallDisk string `json:"installDisk,omitempty"`
	// profileFrom reads the profile of the distribution from a ConfigMap. It replaces machineadm's profile of that name,
	// if there is one.
	// +optional
	ProfileFrom *ProfileSource `json:"profileFrom,omitempty"`
}

// ProfileSource is the source of a profile of an operating system.
type ProfileSource struct {
	// configMap contains the profile as YAML. If it is optional and missing, machineadm's own profile is used.
	// +required
	ConfigMap KeyReference `json:"configMap,omitzero"`
}

// FormatOptionsSpec configures an output format.
type FormatOptionsSpec struct {
	// version is the version of the format, such as 3.4.0. The default is the newest version that the operating system
	// reads.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+){0,2}$`
	Version string `json:"version,omitempty"`
	// snippets are texts in the format's own language (cloud-config, Butane, Container Linux Config). They are merged
	// into the output in this order, by the rules of the format. At most 32.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Snippets []Snippet `json:"snippets,omitempty"`
}

// Snippet is a text in the language of a format.
//
// +kubebuilder:validation:ExactlyOneOf=text;textFrom
type Snippet struct {
	// format is the format in whose language the text is. The default is the machine's format. A snippet for another
	// format is skipped.
	// +optional
	Format Format `json:"format,omitempty"`
	// text is the text itself.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1048576
	Text string `json:"text,omitempty"`
	// textFrom reads the text from a Secret or ConfigMap.
	// +optional
	TextFrom *ContentSource `json:"textFrom,omitempty"`
	// strict turns warnings about the text into errors. The default is false.
	// +optional
	Strict bool `json:"strict,omitempty"`
}

// MachineBootstrapConfigStatus is the status that the controller observed last.
type MachineBootstrapConfigStatus struct {
	// initialization reports whether the bootstrap data is available, for readers of contract v1beta2.
	// +optional
	Initialization InitializationStatus `json:"initialization,omitempty,omitzero"`
	// ready reports whether the bootstrap data is available, for readers of contract v1beta1.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// dataSecretName is the name of the Secret with the bootstrap data.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	DataSecretName string `json:"dataSecretName,omitempty"`
	// payload describes the bootstrap data.
	// +optional
	Payload *PayloadStatus `json:"payload,omitempty"`
	// pluginConditions is the state of each plugin, in the order of the spec: first pluginRefs, then the plugins created
	// from pluginTemplateRefs.
	// +optional
	// +listType=map
	// +listMapKey=apiGroup
	// +listMapKey=kind
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=128
	PluginConditions []PluginCondition `json:"pluginConditions,omitempty"`
	// bootstrap is the machine's last report.
	// +optional
	Bootstrap *BootstrapStatus `json:"bootstrap,omitempty"`
	// conditions are Ready, DataSecretAvailable, CertificatesAvailable and Paused. Control plane machines of Talos also
	// have ControlPlaneStarted, and machines that report have BootstrapSucceeded. DataSecretMaintained appears when
	// published data could not be maintained, and UpToDate when the spec has changed after the data was published.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:XValidation:rule="type(self.lastTransitionTime) == google.protobuf.Timestamp && (!has(self.observedGeneration) || type(self.observedGeneration) == int)",message="lastTransitionTime must be a time of RFC 3339, and observedGeneration an integer"
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status describes.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// failureReason is set only if the machine can never be bootstrapped. It is terminal for the Machine.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	FailureReason *string `json:"failureReason,omitempty"`
	// failureMessage describes why the machine can never be bootstrapped.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	FailureMessage *string `json:"failureMessage,omitempty"`
}

// InitializationStatus reports whether the bootstrap data was created.
//
// +kubebuilder:validation:MinProperties=1
type InitializationStatus struct {
	// dataSecretCreated is true once the Secret exists. It never becomes false again.
	// +optional
	DataSecretCreated *bool `json:"dataSecretCreated,omitempty"`
}

// PayloadStatus describes the bootstrap data without its content.
type PayloadStatus struct {
	// format is the output format.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Format string `json:"format,omitempty"`
	// formatVersion is the version of the format, or empty if the format has no versions.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	FormatVersion string `json:"formatVersion,omitempty"`
	// bytes is the size of the data.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Bytes int64 `json:"bytes,omitempty"`
	// envelope lists the layers around the data, the innermost first, such as mime+gzip.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Envelope string `json:"envelope,omitempty"`
	// warnings is the number of warnings about the data. The conditions contain their texts.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Warnings int32 `json:"warnings,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (c *MachineBootstrapConfig) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (c *MachineBootstrapConfig) SetConditions(conditions []metav1.Condition) {
	c.Status.Conditions = conditions
}

// DataSecretCreated reports whether the bootstrap data was created.
func (s *MachineBootstrapConfigStatus) DataSecretCreated() bool {
	return s.Initialization.DataSecretCreated != nil && *s.Initialization.DataSecretCreated
}
