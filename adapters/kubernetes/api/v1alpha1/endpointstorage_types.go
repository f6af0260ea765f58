package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// EndpointBootstrapStorage makes the controller's endpoint serve the configuration that machines fetch at their first
// boot. The data is stored in Secrets in the namespace of the config.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=endpointbootstrapstorages,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Deadline",type=string,JSONPath=`.spec.firstBootDeadline`,description="How long machines may take to their first boot"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type EndpointBootstrapStorage struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec configures how long the data can be fetched.
	// +optional
	Spec EndpointBootstrapStorageSpec `json:"spec,omitempty,omitzero"`
}

// EndpointBootstrapStorageList is a list of EndpointBootstrapStorages.
//
// +kubebuilder:object:root=true
type EndpointBootstrapStorageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []EndpointBootstrapStorage `json:"items"`
}

// EndpointBootstrapStorageSpec configures how long the data can be fetched.
type EndpointBootstrapStorageSpec struct {
	// firstBootDeadline is how long a machine may take to fetch the stored data after its userdata is published: a
	// duration from 15m to 168h. The minimum ensures that a pool's userdata is replaced well before it expires. The
	// default is 24h.
	// +optional
	// +kubebuilder:validation:XValidation:rule="size(self) <= 32",message="a duration has at most 32 characters"
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('15m') && duration(self) <= duration('168h')",message="firstBootDeadline must be between 15m and 168h"
	FirstBootDeadline *metav1.Duration `json:"firstBootDeadline,omitempty"`
}
