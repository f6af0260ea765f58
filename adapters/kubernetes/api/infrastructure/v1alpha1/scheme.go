package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The names under which the types are served.
const (
	// Group is the API group.
	Group = "infrastructure.machineadm.io"
	// Version is the API version. It implements both contract versions of Cluster API.
	Version = "v1alpha1"
	// HostKind is the kind of entries of the inventory.
	HostKind = "Host"
	// MachineKind and MachineTemplateKind are the kinds that Machines and their owners refer to.
	MachineKind         = "HostMachine"
	MachineTemplateKind = "HostMachineTemplate"
	// ClusterKind and ClusterTemplateKind are the kinds that Clusters and ClusterClasses refer to.
	ClusterKind         = "HostCluster"
	ClusterTemplateKind = "HostClusterTemplate"
)

// The finalizers, labels, schemes and ports that the controller uses.
const (
	// MachineFinalizer is on each HostMachine until its host is released.
	MachineFinalizer = "hostmachine.infrastructure.machineadm.io"
	// HostFinalizer is on each claimed Host, so that it is not deleted before its machine.
	HostFinalizer = "host.infrastructure.machineadm.io"
	// SSHKeyLabel is the label of Secrets that Hosts may name in spec.sshKeyRef; its value is "true".
	SSHKeyLabel = "infrastructure.machineadm.io/ssh-key"
	// ProviderIDScheme begins the provider ID of each machine; namespace, slash and name of the HostMachine follow.
	ProviderIDScheme = "machineadm-hosts:///"
	// DefaultAPIPort is the port of a control plane endpoint without one.
	DefaultAPIPort = 6443
)

// GroupVersion returns the group and version of the types.
func GroupVersion() schema.GroupVersion { return schema.GroupVersion{Group: Group, Version: Version} }

// AddToScheme adds the types to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion(),
		&Host{}, &HostList{},
		&HostMachine{}, &HostMachineList{},
		&HostMachineTemplate{}, &HostMachineTemplateList{},
		&HostCluster{}, &HostClusterList{},
		&HostClusterTemplate{}, &HostClusterTemplateList{})
	metav1.AddToGroupVersion(s, GroupVersion())
	return nil
}
