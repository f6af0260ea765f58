package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// MachineadmControlPlaneStatus is what the controller observed last.
type MachineadmControlPlaneStatus struct {
	// initialization reports whether the control plane accepted requests once.
	// +optional
	Initialization InitializationStatus `json:"initialization,omitempty,omitzero"`
	// nextOperation is what the controller does next with the machines, and why. While operations
	// succeed one after the other, it is the first of them.
	// +optional
	NextOperation *NextOperationStatus `json:"nextOperation,omitempty"`
	// selector is the label selector of the Machines, for the scale subresource.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Selector string `json:"selector,omitempty"`
	// replicas is the number of Machines.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Replicas *int32 `json:"replicas,omitempty"`
	// readyReplicas is the number of Machines with the condition Ready.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	ReadyReplicas *int32 `json:"readyReplicas,omitempty"`
	// availableReplicas is the number of Machines with the condition Available.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	AvailableReplicas *int32 `json:"availableReplicas,omitempty"`
	// upToDateReplicas is the number of Machines with the condition UpToDate.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	UpToDateReplicas *int32 `json:"upToDateReplicas,omitempty"`
	// versions are the Kubernetes versions of the Machines, from old to new.
	// +optional
	// +listType=map
	// +listMapKey=version
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	// +kubebuilder:validation:items:XValidation:rule="!has(self.replicas) || type(self.replicas) == int && self.replicas <= 2147483647",message="replicas must be an integer of 32 bits"
	Versions []clusterv1.StatusVersion `json:"versions,omitempty"`
	// version is the lowest Kubernetes version of the Machines, for Cluster API before 1.14.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Version string `json:"version,omitempty"`
	// lastRemediation is the last replacement of an unhealthy machine.
	// +optional
	LastRemediation *LastRemediationStatus `json:"lastRemediation,omitempty"`
	// etcdSnapshots reports the snapshots of etcd.
	// +optional
	EtcdSnapshots *EtcdSnapshotsStatus `json:"etcdSnapshots,omitempty"`
	// conditions are Available, Initialized, CertificatesAvailable, EtcdClusterHealthy, ControlPlaneComponentsHealthy,
	// MachinesReady, MachinesUpToDate, RollingOut, ScalingUp, ScalingDown, Remediating, Deleting and Paused. SpecAccepted
	// is False if the specification contains a mistake. EtcdSnapshotStored reports the last snapshot, if there is to be
	// one.
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
}

// InitializationStatus reports whether the control plane is initialized.
//
// +kubebuilder:validation:MinProperties=1
type InitializationStatus struct {
	// controlPlaneInitialized is true once the API server accepted requests. It never becomes false again.
	// +optional
	ControlPlaneInitialized *bool `json:"controlPlaneInitialized,omitempty"`
}

// NextOperationStatus is an operation and its reason.
type NextOperationStatus struct {
	// operation is the kind of the operation, such as CreateMachine or Wait.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Operation string `json:"operation,omitempty"`
	// machine is the name of the Machine of the operation, if it has one.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Machine string `json:"machine,omitempty"`
	// reason is the reason as one word.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Reason string `json:"reason,omitempty"`
	// message describes the reason, and what a user can do about it.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	Message string `json:"message,omitempty"`
}

// LastRemediationStatus is the last replacement of an unhealthy machine.
type LastRemediationStatus struct {
	// machine is the name of the machine that was replaced.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Machine string `json:"machine,omitempty"`
	// time is when the machine was deleted.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	Time metav1.Time `json:"time,omitempty,omitzero"`
	// retryCount is the number of retries so far.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	RetryCount *int32 `json:"retryCount,omitempty"`
}

// EtcdSnapshotsStatus reports the snapshots of etcd.
//
// +kubebuilder:validation:MinProperties=1
type EtcdSnapshotsStatus struct {
	// last is the name of the last snapshot that is stored.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Last string `json:"last,omitempty"`
	// time is when the last snapshot was taken.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == google.protobuf.Timestamp",message="must be a time of RFC 3339, such as 2026-01-02T15:04:05Z"
	Time metav1.Time `json:"time,omitempty,omitzero"`
	// bytes is the size of the last snapshot before it was encrypted.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Bytes *int64 `json:"bytes,omitempty"`
	// failure is why the last attempt failed.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Failure string `json:"failure,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (c *MachineadmControlPlane) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (c *MachineadmControlPlane) SetConditions(conditions []metav1.Condition) {
	c.Status.Conditions = conditions
}

// Initialized reports whether the API server of the control plane accepted requests once.
func (s *MachineadmControlPlaneStatus) Initialized() bool {
	return s.Initialization.ControlPlaneInitialized != nil && *s.Initialization.ControlPlaneInitialized
}
