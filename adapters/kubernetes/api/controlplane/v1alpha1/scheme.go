package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The names under which the types are served.
const (
	// Group is the API group.
	Group = "controlplane.machineadm.io"
	// Version is the API version. It implements contract v1beta2 of Cluster API.
	Version = "v1alpha1"
	// Kind and TemplateKind are the kinds that Clusters and ClusterClasses refer to.
	Kind         = "MachineadmControlPlane"
	TemplateKind = "MachineadmControlPlaneTemplate"
)

// GroupVersion returns the group and version of the types.
func GroupVersion() schema.GroupVersion { return schema.GroupVersion{Group: Group, Version: Version} }

// AddToScheme adds the types to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion(),
		&MachineadmControlPlane{}, &MachineadmControlPlaneList{},
		&MachineadmControlPlaneTemplate{}, &MachineadmControlPlaneTemplateList{})
	metav1.AddToGroupVersion(s, GroupVersion())
	return nil
}
