package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// MachineadmControlPlaneTemplate is the template from which a ClusterClass creates MachineadmControlPlanes.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=machineadmcontrolplanetemplates,scope=Namespaced,shortName=macpt,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="OS",type=string,JSONPath=`.spec.template.spec.bootstrap.os.distribution`,description="Operating system"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type MachineadmControlPlaneTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec contains the template.
	// +required
	Spec MachineadmControlPlaneTemplateSpec `json:"spec,omitzero"`
}

// MachineadmControlPlaneTemplateList is a list of MachineadmControlPlaneTemplates.
//
// +kubebuilder:object:root=true
type MachineadmControlPlaneTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MachineadmControlPlaneTemplate `json:"items"`
}

// MachineadmControlPlaneTemplateSpec contains the template.
type MachineadmControlPlaneTemplateSpec struct {
	// template is the template of a MachineadmControlPlane.
	// +required
	Template MachineadmControlPlaneTemplateResource `json:"template,omitzero"`
}

// MachineadmControlPlaneTemplateResource is the template of a MachineadmControlPlane.
type MachineadmControlPlaneTemplateResource struct {
	// metadata contains the labels and annotations of each control plane.
	// +optional
	ObjectMeta Metadata `json:"metadata,omitempty,omitzero"`
	// spec is the part of the spec that clusters of the class have in common.
	// +required
	Spec MachineadmControlPlaneTemplateResourceSpec `json:"spec,omitzero"`
}

// MachineadmControlPlaneTemplateResourceSpec is the part of a MachineadmControlPlaneSpec that clusters of a class have
// in common. The Cluster and its class set the replicas, the version, the infrastructure template and the readiness
// gates.
type MachineadmControlPlaneTemplateResourceSpec struct {
	// machineTemplate describes the Machines.
	// +optional
	MachineTemplate TemplateMachineTemplate `json:"machineTemplate,omitempty,omitzero"`
	// bootstrap describes every machine of the control plane, the first one and those that join.
	// +required
	Bootstrap bootstrapv1.MachineBootstrapConfigSpec `json:"bootstrap,omitzero"`
	// rollout specifies when and how machines are replaced.
	// +optional
	Rollout RolloutSpec `json:"rollout,omitempty,omitzero"`
	// remediation limits the replacement of unhealthy machines.
	// +optional
	Remediation RemediationSpec `json:"remediation,omitempty,omitzero"`
	// machineNaming specifies the names of machines. The naming of the class takes precedence.
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

// TemplateMachineTemplate describes the Machines of the control planes of a class.
//
// +kubebuilder:validation:MinProperties=1
type TemplateMachineTemplate struct {
	// metadata contains labels and annotations of the Machines, their bootstrap configs and their infrastructure
	// machines.
	// +optional
	ObjectMeta Metadata `json:"metadata,omitempty,omitzero"`
	// spec contains the settings of the Machines.
	// +optional
	Spec TemplateMachineTemplateSpec `json:"spec,omitempty,omitzero"`
}

// TemplateMachineTemplateSpec contains the settings of the Machines of the control planes of a class.
//
// +kubebuilder:validation:MinProperties=1
type TemplateMachineTemplateSpec struct {
	// deletion contains the timeouts for the deletion of a Machine.
	// +optional
	Deletion MachineDeletionSpec `json:"deletion,omitempty,omitzero"`
	// taints are the taints of the nodes that Cluster API manages.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +listMapKey=effect
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Taints []clusterv1.MachineTaint `json:"taints,omitempty"`
}
