package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// EndpointBootstrapStorage makes the controller's endpoint serve the configuration that machines fetch at their first
// boot. The data is stored in Secrets in the namespace of the config.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=endpointbootstrapstorages,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"clusterctl.cluster.x-k8s.io/move="}
// +kubebuilder:printcolumn:name="Deadline",type=integer,JSONPath=`.spec.firstBootDeadlineSeconds`,description="How many seconds machines may take to their first boot"
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
	// firstBootDeadlineSeconds is how long a machine may take to fetch the stored data after its userdata is published,
	// in seconds. The minimum is 15 minutes, so that a pool's userdata is replaced well before it expires, and the
	// maximum is 7 days. The default is 86400, a day.
	// +optional
	// +kubebuilder:validation:Minimum=900
	// +kubebuilder:validation:Maximum=604800
	// +kubebuilder:validation:XValidation:rule="type(self) == int",message="must be an integer"
	FirstBootDeadlineSeconds int32 `json:"firstBootDeadlineSeconds,omitempty"`
}
