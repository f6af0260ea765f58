package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HostMachineTemplate is the template from which MachineSets and control plane providers create HostMachines.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=hostmachinetemplates,scope=Namespaced,categories=cluster-api
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="CPU",type=string,JSONPath=`.status.capacity.cpu`,description="Processors of each machine"
// +kubebuilder:printcolumn:name="Memory",type=string,JSONPath=`.status.capacity.memory`,description="Memory of each machine"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since creation"
type HostMachineTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec contains the template.
	// +required
	Spec HostMachineTemplateSpec `json:"spec"`
	// status describes the machines that the template creates.
	// +optional
	Status HostMachineTemplateStatus `json:"status,omitempty,omitzero"`
}

// HostMachineTemplateList is a list of HostMachineTemplates.
//
// +kubebuilder:object:root=true
type HostMachineTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HostMachineTemplate `json:"items"`
}

// HostMachineTemplateSpec contains the template.
type HostMachineTemplateSpec struct {
	// template is the template of a HostMachine.
	// +required
	Template HostMachineTemplateResource `json:"template"`
}

// HostMachineTemplateResource is the template of a HostMachine.
type HostMachineTemplateResource struct {
	// metadata contains the labels and annotations of each machine.
	// +optional
	ObjectMeta TemplateMeta `json:"metadata,omitempty,omitzero"`
	// spec contains the settings of each machine.
	// +optional
	Spec HostMachineSettings `json:"spec"`
}

// TemplateMeta contains the labels and annotations of each created object.
//
// +kubebuilder:validation:MinProperties=1
type TemplateMeta struct {
	// labels are added to each created object.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	Labels map[string]string `json:"labels,omitempty"`
	// annotations are added to each created object.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	Annotations map[string]string `json:"annotations,omitempty"`
}

// HostMachineTemplateStatus describes the machines that the template creates, for the cluster autoscaler.
type HostMachineTemplateStatus struct {
	// capacity is the capacity of each machine: of each resource, the smallest capacity of the hosts that match. The
	// autoscaler reads it to scale from zero. Annotations of the MachineDeployment take precedence.
	// +optional
	Capacity Capacity `json:"capacity,omitempty"`
	// nodeInfo is the architecture and the operating system of each machine.
	// +optional
	NodeInfo NodeInfo `json:"nodeInfo,omitempty,omitzero"`
}

// NodeInfo is the architecture and the operating system of a Node.
//
// +kubebuilder:validation:MinProperties=1
type NodeInfo struct {
	// architecture is amd64 or arm64. It is empty if the hosts that match have several.
	// +optional
	// +kubebuilder:validation:Enum=amd64;arm64
	Architecture string `json:"architecture,omitempty"`
	// operatingSystem is linux.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	OperatingSystem string `json:"operatingSystem,omitempty"`
}
