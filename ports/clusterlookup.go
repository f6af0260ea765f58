package ports

import (
	"context"
	"errors"

	"github.com/machineadm/machineadm/domain/node"
)

// The errors of ClusterLookup.
var (
	// ErrNoOwner means that no Machine or MachinePool uses the configuration.
	ErrNoOwner = errors.New("no Machine or MachinePool uses the configuration")
	// ErrNoCluster means that the cluster does not exist.
	ErrNoCluster = errors.New("no such cluster")
)

// ControlPlaneTypeAnnotation on a Cluster sets what its control plane consists of: Kubeadm or Talos. Without it, the
// control plane type follows from the control plane provider and machines.
const ControlPlaneTypeAnnotation = "bootstrap.machineadm.io/control-plane-type"

// ClusterLookup reads the objects of Cluster API around a machine's configuration.
type ClusterLookup interface {
	// Machine returns the Machine or MachinePool of the configuration, or ErrNoOwner. The reference must be mutual: the
	// configuration is owned by the Machine, and the Machine names the configuration, since users who write configurations
	// can write any owner reference. A pool that already names another configuration keeps the one with published data,
	// which its machines still boot with.
	Machine(ctx context.Context, config Owner) (Machine, error)
	// Cluster returns the cluster, or ErrNoCluster.
	Cluster(ctx context.Context, key Key) (Cluster, error)
}

// Machine contains the facts about the machine, or the pool of machines, that a configuration is for.
type Machine struct {
	Name string
	// ClusterName is the name of its cluster, in the same namespace.
	ClusterName string
	// DataSecretName is the name of the data Secret that it boots with; empty before the data is published.
	DataSecretName string
	// Pool means that many machines boot with the same data, now and later.
	Pool         bool
	ControlPlane bool
	// Version is the machine's Kubernetes version, with the prefix v.
	Version string
	// Infrastructure is the kind of its infrastructure object, such as AWSMachine; empty if it is not known.
	Infrastructure string
	// Addresses are the machine's IP addresses, the external ones first; none if they are not known yet.
	Addresses []string
	// Joined means that the machine, or every machine of the pool, is a node.
	Joined bool
}

// Cluster contains the facts about a cluster.
type Cluster struct {
	Key
	// Network contains the cluster's name, endpoint, subnets and domain, as far as they are known.
	Network node.Cluster
	// Paused means that nothing of the cluster may be changed, and Deleting that it is being deleted.
	Paused, Deleting bool
	// InfrastructureReady means that the cluster's infrastructure is ready.
	InfrastructureReady bool
	// Initialized means that the first control plane node is ready.
	Initialized bool
	// StandAlone means that no control plane provider manages the control plane machines, so that machineadm generates the
	// cluster's certificates.
	StandAlone bool
	// ControlPlane is the evidence of the control plane type.
	ControlPlane ControlPlaneEvidence
	// Addresses are the IP addresses of the control plane machines, sorted, as far as they are known.
	Addresses []string
	// OldestVersion is the oldest version of the control plane machines; empty if it is not known.
	OldestVersion string
}

// ControlPlaneEvidence is what determines a cluster's control plane type, the most significant first.
type ControlPlaneEvidence struct {
	// Setting is the value of ControlPlaneTypeAnnotation; empty if the Cluster does not have it.
	Setting string
	// Provider is the kind of the object that manages the control plane, such as KubeadmControlPlane; empty if its
	// machines have no such object.
	Provider string
	// Machines are the control plane machines without a provider, the oldest first. Those after the first one that
	// determines the type can be missing.
	Machines []MachineEvidence
}

// MachineEvidence contains the facts about a control plane machine.
type MachineEvidence struct {
	Name string
	// Config is the kind of its bootstrap config, such as KubeadmConfig; empty for a MachineBootstrapConfig.
	Config string
	// Distribution is the operating system of the machine's MachineBootstrapConfig; empty if it is not known.
	Distribution string
}
