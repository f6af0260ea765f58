package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The names under which the types are served.
const (
	// Group is the API group.
	Group = "bootstrap.machineadm.io"
	// Version is the API version. It implements both contract versions of Cluster API.
	Version = "v1alpha1"
	// ConfigKind and TemplateKind are the kinds that owners refer to.
	ConfigKind   = "MachineBootstrapConfig"
	TemplateKind = "MachineBootstrapConfigTemplate"
	// S3StorageKind is the kind of storages in buckets.
	S3StorageKind = "S3BootstrapStorage"
	// EndpointStorageKind is the kind of storages that the controller's own endpoint serves.
	EndpointStorageKind = "EndpointBootstrapStorage"
)

// GroupVersion returns the group and version of the types.
func GroupVersion() schema.GroupVersion { return schema.GroupVersion{Group: Group, Version: Version} }

// AddToScheme adds the types to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion(), &MachineBootstrapConfig{}, &MachineBootstrapConfigList{},
		&MachineBootstrapConfigTemplate{}, &MachineBootstrapConfigTemplateList{},
		&S3BootstrapStorage{}, &S3BootstrapStorageList{},
		&EndpointBootstrapStorage{}, &EndpointBootstrapStorageList{})
	for _, p := range Plugins() {
		s.AddKnownTypes(GroupVersion(), p)
	}
	s.AddKnownTypes(GroupVersion(), pluginLists()...)
	metav1.AddToGroupVersion(s, GroupVersion())
	return nil
}
