package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// EndpointBootstrapStorage has the controller's own endpoint serve what machines fetch at their first boot. It is kept
// in Secrets beside the config.
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

	// spec says how data is served.
	// +optional
	Spec EndpointBootstrapStorageSpec `json:"spec,omitempty,omitzero"`
}

// EndpointBootstrapStorageList is a list of storages.
//
// +kubebuilder:object:root=true
type EndpointBootstrapStorageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []EndpointBootstrapStorage `json:"items"`
}

// EndpointBootstrapStorageSpec says how data is served.
type EndpointBootstrapStorageSpec struct {
	// firstBootDeadline is how long a machine may take from the moment its userdata is published until it fetches what is
	// stored, at least 15m, so that a pool's userdata is replaced long before that, and at most 168h. Without it, it is
	// 24h.
	// +optional
	// +kubebuilder:validation:XValidation:rule="size(self) <= 32",message="a duration has at most 32 characters"
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('15m') && duration(self) <= duration('168h')",message="firstBootDeadline is at least 15m and at most 168h"
	FirstBootDeadline *metav1.Duration `json:"firstBootDeadline,omitempty"`
}
