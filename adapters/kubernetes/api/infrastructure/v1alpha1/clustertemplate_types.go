package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// HostClusterTemplate is the template from which a ClusterClass creates HostClusters.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=hostclustertemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type HostClusterTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec contains the template.
	// +required
	Spec HostClusterTemplateSpec `json:"spec"`
}

// HostClusterTemplateList is a list of HostClusterTemplates.
//
// +kubebuilder:object:root=true
type HostClusterTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HostClusterTemplate `json:"items"`
}

// HostClusterTemplateSpec contains the template.
type HostClusterTemplateSpec struct {
	// template is the template of a HostCluster.
	// +required
	Template HostClusterTemplateResource `json:"template"`
}

// HostClusterTemplateResource is the template of a HostCluster.
type HostClusterTemplateResource struct {
	// metadata contains the labels and annotations of each cluster.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec is the spec of each cluster. Patches of the ClusterClass set its control plane endpoint.
	// +optional
	Spec HostClusterSpec `json:"spec"`
}
