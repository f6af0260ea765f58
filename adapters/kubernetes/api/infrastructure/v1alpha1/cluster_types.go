package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// HostCluster is the infrastructure of one Cluster: its control plane endpoint, and the failure domains of its hosts.
//
// The controller ignores a HostCluster with the annotation cluster.x-k8s.io/managed-by: another system manages it.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=hostclusters,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Cluster",type=string,JSONPath=`.metadata.labels['cluster\.x-k8s\.io/cluster-name']`,description="Cluster"
// +kubebuilder:printcolumn:name="Endpoint",type=string,JSONPath=`.spec.controlPlaneEndpoint.host`,description="Host of the control plane endpoint"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether the infrastructure is provisioned"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type HostCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec describes the infrastructure.
	// +optional
	Spec HostClusterSpec `json:"spec,omitempty,omitzero"`
	// status is what the controller observed last.
	// +optional
	Status HostClusterStatus `json:"status,omitempty,omitzero"`
}

// HostClusterList is a list of HostClusters.
//
// +kubebuilder:object:root=true
type HostClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HostCluster `json:"items"`
}

// HostClusterSpec describes the infrastructure of a cluster.
type HostClusterSpec struct {
	// controlPlaneEndpoint is the address at which clients reach the API server: a load balancer, a virtual IP address or
	// a DNS name that the user provides. Without it, the controller waits for the endpoint of the Cluster.
	// +optional
	ControlPlaneEndpoint APIEndpoint `json:"controlPlaneEndpoint,omitempty,omitzero"`
	// failureDomains are the failure domains of the cluster. Machines are distributed to them, and each uses only hosts of
	// its own. Without it, the cluster has none. Cores below 1.11 cannot read a cluster with failure domains.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	FailureDomains []HostFailureDomain `json:"failureDomains,omitempty"`
}

// APIEndpoint is an address of the Kubernetes API.
//
// +kubebuilder:validation:MinProperties=1
type APIEndpoint struct {
	// host is a DNS name or an IP address.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Host string `json:"host,omitempty"`
	// port is the port. The default is 6443.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	Port int32 `json:"port,omitempty"`
}

// HostFailureDomain is a failure domain, such as a rack.
type HostFailureDomain struct {
	// name is the value of spec.failureDomain of the hosts.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name,omitempty"`
	// controlPlane allows control plane machines in the failure domain. The default is true.
	// +optional
	ControlPlane *bool `json:"controlPlane,omitempty"`
}

// HostClusterStatus is what the controller observed last.
type HostClusterStatus struct {
	// initialization reports whether the infrastructure is provisioned, for readers of contract v1beta2.
	// +optional
	Initialization HostClusterInitializationStatus `json:"initialization,omitempty,omitzero"`
	// ready reports whether the infrastructure is provisioned, for readers of contract v1beta1.
	// +optional
	Ready bool `json:"ready,omitempty"`
	// failureDomains are those of the spec, in the form of contract v1beta2. Contract v1beta1 has a map here, so that its
	// readers fail if there are any.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	FailureDomains []clusterv1.FailureDomain `json:"failureDomains,omitempty"`
	// conditions are Ready and Paused.
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
	// failureReason is never set: a mistake in a HostCluster can be corrected. The field is part of contract v1beta1.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	FailureReason *string `json:"failureReason,omitempty"`
	// failureMessage is never set, like failureReason.
	// +optional
	// +kubebuilder:validation:MaxLength=10240
	FailureMessage *string `json:"failureMessage,omitempty"`
}

// HostClusterInitializationStatus reports whether the infrastructure is provisioned.
//
// +kubebuilder:validation:MinProperties=1
type HostClusterInitializationStatus struct {
	// provisioned is true once the control plane endpoint is known. It never becomes false again.
	// +optional
	Provisioned *bool `json:"provisioned,omitempty"`
}

// GetConditions returns the conditions, for Cluster API's helpers.
func (c *HostCluster) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions, for Cluster API's helpers.
func (c *HostCluster) SetConditions(conditions []metav1.Condition) { c.Status.Conditions = conditions }
