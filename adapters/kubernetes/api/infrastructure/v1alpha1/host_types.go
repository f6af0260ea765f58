package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Host is an entry of the inventory: a Linux host that the controller reaches by SSH.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=hosts,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Address",type=string,JSONPath=`.spec.address`,description="Address of the host"
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.status.state`,description="Whether a machine may claim the host"
// +kubebuilder:printcolumn:name="Machine",type=string,JSONPath=`.spec.claim.machineName`,description="HostMachine that has the host"
// +kubebuilder:printcolumn:name="Domain",type=string,JSONPath=`.spec.failureDomain`,priority=1,description="Failure domain"
// +kubebuilder:printcolumn:name="Arch",type=string,JSONPath=`.status.architecture`,priority=1,description="Architecture"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="Why the host is or is not available"
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`,description="What keeps machines from claiming the host"
type Host struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the host and how the controller reaches it.
	// +required
	Spec HostSpec `json:"spec,omitzero"`
	// status is what the controller observed last.
	// +optional
	Status HostStatus `json:"status,omitempty,omitzero"`
}

// HostList is a list of Hosts.
//
// +kubebuilder:object:root=true
type HostList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Host `json:"items"`
}

// HostSpec describes a host and how the controller reaches it.
//
// +kubebuilder:validation:XValidation:rule="has(self.hostKeys) || (has(self.hostKeyPolicy) && self.hostKeyPolicy == 'TrustOnFirstUse')",message="hostKeys is required, unless hostKeyPolicy is TrustOnFirstUse"
type HostSpec struct {
	// address is a DNS name or an IP address at which the controller reaches the SSH server, without user and port.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="!self.contains('@')",message="must not contain a user; set user"
	// +kubebuilder:validation:XValidation:rule="self.contains('@') || self.matches('^[0-9A-Za-z]([0-9A-Za-z.-]*[0-9A-Za-z])?$|^[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*$')",message="must be a DNS name or an IP address, without ssh:// and without a port; set port"
	Address string `json:"address,omitempty"`
	// port is the port of the SSH server. The default is 22.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Port int32 `json:"port,omitempty"`
	// user is the user that logs in: root, or a user that may run sudo without a password. The default is root.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^[a-z_][a-z0-9_-]*$`
	User string `json:"user,omitempty"`
	// sshKeyRef names the Secret with the private key in the namespace of the Host. The Secret must have the label
	// infrastructure.machineadm.io/ssh-key: "true".
	// +required
	SSHKeyRef SSHKeyReference `json:"sshKeyRef,omitzero"`
	// hostKeys are the public keys of the host, in the form of authorized_keys without options, such as
	// "ssh-ed25519 AAAA…". The host must present one of them.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=4096
	// +kubebuilder:validation:items:Pattern=`^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$`
	HostKeys []string `json:"hostKeys,omitempty"`
	// hostKeyPolicy is Known or TrustOnFirstUse. TrustOnFirstUse accepts the first key that the host presents and writes
	// it to hostKeys; anyone who controls the network at that time can pretend to be the host. The default is Known.
	// +optional
	// +kubebuilder:validation:Enum=Known;TrustOnFirstUse
	HostKeyPolicy HostKeyPolicy `json:"hostKeyPolicy,omitempty"`
	// architecture is amd64 or arm64. The default is the one that the host reports.
	// +optional
	// +kubebuilder:validation:Enum=amd64;arm64
	Architecture string `json:"architecture,omitempty"`
	// failureDomain is the failure domain of the host, such as a rack. Machines of other failure domains do not use it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	FailureDomain string `json:"failureDomain,omitempty"`
	// capacity is the capacity of the host, such as cpu and memory. The default is what the host reports. It is for users
	// and for templates that scale from zero; the selection ignores it.
	// +optional
	Capacity Capacity `json:"capacity,omitempty"`
	// unavailable keeps machines from claiming the host. Users set it for maintenance. The controller sets it if a host
	// could not be reset, or if it needs a user. The machine that has the host keeps it. Remove the field to return the
	// host to the pool.
	// +optional
	Unavailable *HostUnavailable `json:"unavailable,omitempty"`
	// claim is the machine that has the host. Only the controller writes it.
	// +optional
	Claim *HostClaim `json:"claim,omitempty"`
}

// HostKeyPolicy determines which keys of a host are accepted.
type HostKeyPolicy string

// The policies for host keys.
const (
	// HostKeyPolicyKnown accepts only the keys of spec.hostKeys.
	HostKeyPolicyKnown HostKeyPolicy = "Known"
	// HostKeyPolicyTrustOnFirstUse accepts the first key if spec.hostKeys is empty.
	HostKeyPolicyTrustOnFirstUse HostKeyPolicy = "TrustOnFirstUse"
)

// SSHKeyReference names a Secret with a private key.
type SSHKeyReference struct {
	// name is the name of the Secret. The Secret is in the namespace of the Host.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Name string `json:"name,omitempty"`
	// key is the key of the Secret's data. The default is ssh-privatekey, as in Secrets of type kubernetes.io/ssh-auth.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key,omitempty"`
}

// HostUnavailable is the reason why no machine may claim a host.
type HostUnavailable struct {
	// reason is one word, such as Maintenance or ResetFailed.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([A-Za-z0-9]*)$`
	Reason string `json:"reason,omitempty"`
	// message explains the reason and the remedy.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
	// since is the time from which the host is unavailable.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	Since metav1.Time `json:"since,omitempty,omitzero"`
}

// HostClaim is the claim of a machine on a host.
type HostClaim struct {
	// id is the UUID of the claim. The HostMachine has the same one.
	// +required
	// +kubebuilder:validation:MaxLength=36
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`
	ID string `json:"id,omitempty"`
	// machineName is the name of the HostMachine in the namespace of the Host.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	MachineName string `json:"machineName,omitempty"`
}

// HostStatus is what the controller observed last.
type HostStatus struct {
	// state is Pending, Available, Claimed, Unavailable or Deleting.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	State string `json:"state,omitempty"`
	// architecture is the architecture that the host reports, or that of the spec.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Architecture string `json:"architecture,omitempty"`
	// agent is true if the host has an agent that the controller accepts.
	// +optional
	Agent bool `json:"agent,omitempty"`
	// capacity is the capacity that the host reports, or that of the spec.
	// +optional
	Capacity Capacity `json:"capacity,omitempty"`
	// osImage is the name of the operating system that the host reports.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	OSImage string `json:"osImage,omitempty"`
	// lastProbeTime is the time of the last probe.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	LastProbeTime metav1.Time `json:"lastProbeTime,omitempty,omitzero"`
	// conditions are Ready, which is true while a machine may claim the host or has it, and Reachable.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:XValidation:rule="type(self.lastTransitionTime) == google.protobuf.Timestamp && (!has(self.observedGeneration) || type(self.observedGeneration) == int)",message="lastTransitionTime must be a time of RFC 3339, and observedGeneration an integer"
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// observedGeneration is the generation of the spec that the status describes.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (h *Host) GetConditions() []metav1.Condition { return h.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (h *Host) SetConditions(conditions []metav1.Condition) { h.Status.Conditions = conditions }
