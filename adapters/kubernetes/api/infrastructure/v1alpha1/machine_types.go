package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// HostMachine is the infrastructure of one Machine: a claimed host, or a machine that a driver creates.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=hostmachines,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Cluster",type=string,JSONPath=`.metadata.labels['cluster\.x-k8s\.io/cluster-name']`,description="Cluster"
// +kubebuilder:printcolumn:name="Host",type=string,JSONPath=`.spec.claim.hostName`,description="Host that the machine has"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether the machine is provisioned and nothing is wrong"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why it is or is not ready"
// +kubebuilder:printcolumn:name="ProviderID",type=string,JSONPath=`.spec.providerID`,priority=1,description="Provider ID of the Node"
// +kubebuilder:printcolumn:name="Paused",type=string,JSONPath=`.status.conditions[?(@.type=="Paused")].status`,priority=1,description="Whether reconciliation is paused"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What keeps the machine from being ready"
type HostMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the machine.
	// +optional
	Spec HostMachineSpec `json:"spec,omitempty,omitzero"`
	// status is what the controller observed last.
	// +optional
	Status HostMachineStatus `json:"status,omitempty,omitzero"`
}

// HostMachineList is a list of HostMachines.
//
// +kubebuilder:object:root=true
type HostMachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HostMachine `json:"items"`
}

// HostMachineSpec describes a machine. Users set only the fields of HostMachineSettings; the controller writes the
// others.
type HostMachineSpec struct {
	HostMachineSettings `json:",inline"`

	// providerID is the provider ID of the Node. The controller sets it once the bootstrap has succeeded, and at the
	// deletion of a machine whose bootstrap did not succeed: Cluster API finds its Node by this ID.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	ProviderID string `json:"providerID,omitempty"`
	// claim is the host that the machine has. It is in the spec because Cluster API does not move the status.
	// +optional
	Claim *MachineClaim `json:"claim,omitempty"`
}

// HostMachineSettings are the settings that the machines of a template share.
//
// +kubebuilder:validation:AtMostOneOf=hostSelector;namespaceMachine;virtualMachine
type HostMachineSettings struct {
	// hostSelector selects the hosts that the machine may claim by their labels. Without it and the other fields, the
	// machine may claim every host of the namespace.
	// +optional
	// +kubebuilder:validation:XValidation:rule="!has(self.matchLabels) || self.matchLabels.size() <= 64",message="at most 64 labels are allowed; remove some"
	// +kubebuilder:validation:XValidation:rule="!has(self.matchExpressions) || (self.matchExpressions.size() <= 64 && self.matchExpressions.all(e, !has(e.values) || e.values.size() <= 64))",message="at most 64 expressions with at most 64 values each are allowed; remove some"
	HostSelector *metav1.LabelSelector `json:"hostSelector,omitempty"`
	// architecture is the architecture that the machine needs: amd64 or arm64. By default, every host matches.
	// +optional
	// +kubebuilder:validation:Enum=amd64;arm64
	Architecture string `json:"architecture,omitempty"`
	// namespaceMachine creates the machine in Linux namespaces of the host that the controller runs on. The controller
	// needs root and the flag --namespace-machines.
	// +optional
	NamespaceMachine *NamespaceMachine `json:"namespaceMachine,omitempty"`
	// virtualMachine creates a virtual machine with QEMU on the host that the controller runs on. The controller needs the
	// flag --virtual-machines.
	// +optional
	VirtualMachine *VirtualMachine `json:"virtualMachine,omitempty"`
	// timeouts limit how long the machine may take. The defaults are those of the fields.
	// +optional
	Timeouts *MachineTimeouts `json:"timeouts,omitempty"`
}

// NamespaceMachine is a machine in Linux namespaces.
type NamespaceMachine struct {
	// root is the path of the machine's read-only root file system, below the directory of --namespace-machines. Each
	// machine gets a writable layer of its own.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^[0-9A-Za-z_][0-9A-Za-z._-]*(/[0-9A-Za-z_][0-9A-Za-z._-]*)*$`
	Root string `json:"root,omitempty"`
}

// VirtualMachine is a virtual machine of QEMU.
type VirtualMachine struct {
	// image is the disk image from which the machine boots. Each machine gets a layer of its own.
	// +required
	Image VirtualMachineImage `json:"image,omitzero"`
	// seed is how the machine gets its bootstrap data: NoCloud, FirmwareConfig for Ignition, or ConfigDrive. The default
	// follows from the format of the data.
	// +optional
	// +kubebuilder:validation:Enum=NoCloud;FirmwareConfig;ConfigDrive
	Seed string `json:"seed,omitempty"`
	// accelerator is TCG or KVM. The default is TCG, which works on every host and is slow.
	// +optional
	// +kubebuilder:validation:Enum=TCG;KVM
	Accelerator string `json:"accelerator,omitempty"`
	// cpus is the number of virtual processors. The default is 2.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=256
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	CPUs int32 `json:"cpus,omitempty"`
	// memoryMiB is the memory in MiB. The default is 2048.
	// +optional
	// +kubebuilder:validation:Minimum=256
	// +kubebuilder:validation:Maximum=4194304
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	MemoryMiB int32 `json:"memoryMiB,omitempty"`
	// diskGiB is the size of the disk in GiB. The default is the size of the image.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65536
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	DiskGiB int32 `json:"diskGiB,omitempty"`
}

// VirtualMachineImage is a disk image.
type VirtualMachineImage struct {
	// path is the path of the image, below the directory of --virtual-machines.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^[0-9A-Za-z_][0-9A-Za-z._-]*(/[0-9A-Za-z_][0-9A-Za-z._-]*)*$`
	Path string `json:"path,omitempty"`
	// sha256 is the SHA-256 digest of the image in 64 lower-case hexadecimal digits.
	// +required
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256,omitempty"`
}

// MachineTimeouts limit how long a machine may take.
type MachineTimeouts struct {
	// claimSeconds is how long a host may be out of reach before the machine selects another one. It applies only before
	// the bootstrap data is sent. The default is 120.
	// +optional
	// +kubebuilder:validation:Minimum=10
	// +kubebuilder:validation:Maximum=86400
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ClaimSeconds int32 `json:"claimSeconds,omitempty"`
	// bootSeconds is how long the bootstrap may take after the data is sent. The default is 1200.
	// +optional
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=86400
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	BootSeconds int32 `json:"bootSeconds,omitempty"`
	// releaseSeconds is how long the reset of a host may take after the machine is deleted. Then the host becomes
	// unavailable, and the machine is gone. The default is 900.
	// +optional
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=86400
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ReleaseSeconds int32 `json:"releaseSeconds,omitempty"`
}

// MachineClaim is the claim of a machine on a host.
type MachineClaim struct {
	// id is the UUID of the claim. The Host, and the directory of the run on the host, have the same one.
	// +required
	// +kubebuilder:validation:MaxLength=36
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`
	ID string `json:"id,omitempty"`
	// hostName is the name of the Host. Drivers that create machines have none.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	HostName string `json:"hostName,omitempty"`
	// sentAt is the time at which sending the bootstrap data began. From then on, the machine keeps its host.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	SentAt metav1.Time `json:"sentAt,omitempty,omitzero"`
}

// HostMachineStatus is what the controller observed last.
type HostMachineStatus struct {
	// initialization reports whether the machine is provisioned, for readers of contract v1beta2.
	// +optional
	Initialization HostMachineInitializationStatus `json:"initialization,omitempty,omitzero"`
	// ready reports whether the machine is provisioned, for readers of contract v1beta1.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// addresses are the addresses of the host.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Addresses []clusterv1.MachineAddress `json:"addresses,omitempty"`
	// failureDomain is the failure domain of the host.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	FailureDomain string `json:"failureDomain,omitempty"`
	// conditions are Ready, HostClaimed, BootstrapSucceeded, HostReachable and Paused.
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
	// failureReason is set only if the machine can never be provisioned, for readers of contract v1beta1.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	FailureReason *string `json:"failureReason,omitempty"`
	// failureMessage describes why the machine can never be provisioned.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	FailureMessage *string `json:"failureMessage,omitempty"`
}

// HostMachineInitializationStatus reports whether the machine is provisioned.
//
// +kubebuilder:validation:MinProperties=1
type HostMachineInitializationStatus struct {
	// provisioned is true once the bootstrap has succeeded. It never becomes false again.
	// +optional
	Provisioned *bool `json:"provisioned,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (m *HostMachine) GetConditions() []metav1.Condition { return m.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (m *HostMachine) SetConditions(conditions []metav1.Condition) { m.Status.Conditions = conditions }

// Provisioned reports whether the machine was reported as provisioned. The provider ID survives a move; the status does
// not. A machine that is being deleted gets its provider ID in any case.
func (m *HostMachine) Provisioned() bool {
	done := m.Status.Initialization.Provisioned
	return (m.Spec.ProviderID != "" && m.DeletionTimestamp.IsZero()) || (done != nil && *done)
}

// ExpectedProviderID returns the provider ID that kubelet must have on the machine.
func (m *HostMachine) ExpectedProviderID() string {
	return ProviderIDScheme + m.Namespace + "/" + m.Name
}
