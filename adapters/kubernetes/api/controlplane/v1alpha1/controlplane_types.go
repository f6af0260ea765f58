package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// MachineadmControlPlane is the control plane of a Cluster: a number of machines of one specification, which the
// controller creates, replaces and removes one after the other without losing the quorum of etcd.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:resource:path=machineadmcontrolplanes,scope=Namespaced,shortName=macp,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Cluster",type=string,JSONPath=`.metadata.labels['cluster\.x-k8s\.io/cluster-name']`,description="Cluster"
// +kubebuilder:printcolumn:name="Available",type=string,JSONPath=`.status.conditions[?(@.type=="Available")].status`,description="Whether the control plane can be used"
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.spec.replicas`,description="Desired number of machines"
// +kubebuilder:printcolumn:name="Current",type=integer,JSONPath=`.status.replicas`,description="Number of machines"
// +kubebuilder:printcolumn:name="Ready",type=integer,JSONPath=`.status.readyReplicas`,description="Number of ready machines"
// +kubebuilder:printcolumn:name="Up-to-date",type=integer,JSONPath=`.status.upToDateReplicas`,description="Number of machines that are as specified"
// +kubebuilder:printcolumn:name="Next",type=string,JSONPath=`.status.nextOperation.operation`,description="Next operation"
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.nextOperation.reason`,description="Why it is the next operation"
// +kubebuilder:printcolumn:name="Initialized",type=boolean,JSONPath=`.status.initialization.controlPlaneInitialized`,priority=1,description="Whether the API server accepted requests once"
// +kubebuilder:printcolumn:name="Paused",type=string,JSONPath=`.status.conditions[?(@.type=="Paused")].status`,priority=1,description="Whether reconciliation is paused"
// +kubebuilder:printcolumn:name="OS",type=string,JSONPath=`.spec.bootstrap.os.distribution`,priority=1,description="Operating system"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
// +kubebuilder:printcolumn:name="Version",type=string,JSONPath=`.spec.version`,description="Kubernetes version"
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.nextOperation.message`,priority=1,description="What the next operation is for, or what prevents it"
type MachineadmControlPlane struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the control plane.
	// +required
	Spec MachineadmControlPlaneSpec `json:"spec,omitzero"`
	// status is what the controller observed last.
	// +optional
	Status MachineadmControlPlaneStatus `json:"status,omitempty,omitzero"`
}

// MachineadmControlPlaneList is a list of MachineadmControlPlanes.
//
// +kubebuilder:object:root=true
type MachineadmControlPlaneList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachineadmControlPlane `json:"items"`
}

// MachineadmControlPlaneSpec describes a control plane.
type MachineadmControlPlaneSpec struct {
	// replicas is the number of machines. The default is 1. Machines that run etcd need an odd number.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=15
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Replicas *int32 `json:"replicas,omitempty"`
	// version is the Kubernetes version, such as v1.36.3. The prefix v can be omitted.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Version string `json:"version,omitempty"`
	// machineTemplate describes the Machines and their infrastructure.
	// +required
	MachineTemplate MachineTemplate `json:"machineTemplate,omitzero"`
	// bootstrap describes every machine of the control plane, the first one and those that join. A change of its meaning
	// replaces the machines; another spelling of the same settings does not.
	// +required
	Bootstrap bootstrapv1.MachineBootstrapConfigSpec `json:"bootstrap,omitzero"`
	// rollout specifies when and how machines are replaced.
	// +optional
	Rollout RolloutSpec `json:"rollout,omitempty,omitzero"`
	// remediation limits the replacement of unhealthy machines.
	// +optional
	Remediation RemediationSpec `json:"remediation,omitempty,omitzero"`
	// machineNaming specifies the names of machines.
	// +optional
	MachineNaming MachineNamingSpec `json:"machineNaming,omitempty,omitzero"`
	// addons specifies which add-ons of kubeadm the controller updates.
	// +optional
	Addons AddonsSpec `json:"addons,omitempty,omitzero"`
	// etcdSnapshots specifies snapshots of etcd, which the controller takes, encrypts and stores. Without it, there are
	// none.
	// +optional
	EtcdSnapshots *EtcdSnapshotsSpec `json:"etcdSnapshots,omitempty"`
}

// MachineTemplate describes the Machines of a control plane.
type MachineTemplate struct {
	// metadata contains labels and annotations of the Machines, their bootstrap configs and their infrastructure
	// machines. Changes apply to existing machines.
	// +optional
	ObjectMeta Metadata `json:"metadata,omitempty,omitzero"`
	// spec contains the settings of the Machines.
	// +required
	Spec MachineTemplateSpec `json:"spec,omitzero"`
}

// MachineTemplateSpec contains the settings of the Machines of a control plane.
type MachineTemplateSpec struct {
	// infrastructureRef names the template of the infrastructure machines, in the same namespace. Another name replaces
	// the machines.
	// +required
	InfrastructureRef clusterv1.ContractVersionedObjectReference `json:"infrastructureRef,omitzero"`
	// readinessGates are additional conditions that a Machine needs to be ready. The controller adds those that it sets
	// itself. Changes apply to existing machines.
	// +optional
	// +listType=map
	// +listMapKey=conditionType
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	ReadinessGates []clusterv1.MachineReadinessGate `json:"readinessGates,omitempty"`
	// deletion contains the timeouts for the deletion of a Machine. Changes apply to existing machines.
	// +optional
	Deletion MachineDeletionSpec `json:"deletion,omitempty,omitzero"`
	// taints are the taints of the nodes that Cluster API manages. Changes apply to existing machines.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +listMapKey=effect
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Taints []clusterv1.MachineTaint `json:"taints,omitempty"`
}

// MachineDeletionSpec contains the timeouts for the deletion of a Machine.
//
// +kubebuilder:validation:MinProperties=1
type MachineDeletionSpec struct {
	// nodeDrainTimeoutSeconds limits the time for draining the node. The default is 0, which means no limit.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	NodeDrainTimeoutSeconds *int32 `json:"nodeDrainTimeoutSeconds,omitempty"`
	// nodeVolumeDetachTimeoutSeconds limits the time for detaching volumes. The default is 0, which means no limit.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	NodeVolumeDetachTimeoutSeconds *int32 `json:"nodeVolumeDetachTimeoutSeconds,omitempty"`
	// nodeDeletionTimeoutSeconds limits the time for deleting the Node; 0 means no limit. The default is that of Machines.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=2147483647
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	NodeDeletionTimeoutSeconds *int32 `json:"nodeDeletionTimeoutSeconds,omitempty"`
}
