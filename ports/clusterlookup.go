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

// ControlPlaneTypeAnnotation on a Cluster sets its control plane type: Kubeadm or Talos. Without the annotation, the
// type is derived from the control plane provider and its machines.
const ControlPlaneTypeAnnotation = "bootstrap.machineadm.io/control-plane-type"

// ClusterLookup reads the objects of Cluster API around a machine's configuration.
type ClusterLookup interface {
	// Machine returns the Machine or MachinePool of the configuration, or ErrNoOwner. The reference must be mutual: the
	// Machine owns the configuration and names it in spec.bootstrap.configRef. An owner reference alone proves nothing,
	// because users who write configurations can set any. If a pool already names another configuration, its previous
	// one with published data still matches, because machines still boot with that data.
	Machine(ctx context.Context, config Owner) (Machine, error)
	// Cluster returns the cluster, or ErrNoCluster.
	Cluster(ctx context.Context, key Key) (Cluster, error)
}

// Machine contains the facts about the machine, or the pool of machines, that a configuration is for.
type Machine struct {
	Name string
	// ClusterName is the name of its cluster, in the same namespace.
	ClusterName string
	// DataSecretName is the name of the data Secret that it boots with, or empty before the data is published. Of a pool
	// it is the name of the configuration's data: the pool may still name that of its previous configuration.
	DataSecretName string
	// Pool means that the owner is a MachinePool, whose machines all boot with the same data.
	Pool         bool
	ControlPlane bool
	// Version is the machine's Kubernetes version, with the prefix v.
	Version string
	// Infrastructure is the kind of its infrastructure object, such as AWSMachine, or empty if it is not known.
	Infrastructure string
	// InfrastructureName is the name of this object. It is empty for a MachinePool, which has an object for each machine.
	InfrastructureName string
	// Addresses are the machine's IP addresses, the external ones first, or none if they are not known yet.
	Addresses []string
	// Joined means that the machine, or every machine of the pool, has joined the cluster as a node.
	Joined bool
}

// Cluster contains the facts about a cluster.
type Cluster struct {
	Key
	// Network contains the cluster's name, endpoint, subnets and domain, as far as they are known.
	Network node.Cluster
	// Paused means that reconciliation of the cluster is paused. Deleting means that the cluster is being deleted.
	Paused, Deleting bool
	// InfrastructureReady means that the cluster's infrastructure is ready.
	InfrastructureReady bool
	// Initialized means that the first control plane node is ready.
	Initialized bool
	// StandAlone means that no control plane provider manages the control plane machines. machineadm then generates the
	// cluster's certificates.
	StandAlone bool
	// ControlPlane contains the facts from which the control plane type is derived.
	ControlPlane ControlPlaneEvidence
	// Addresses are the IP addresses of the control plane machines, sorted, as far as they are known.
	Addresses []string
	// OldestVersion is the oldest version of the control plane machines, or empty if it is not known.
	OldestVersion string
}

// ControlPlaneEvidence contains the facts from which a cluster's control plane type is derived. Its fields are in
// descending order of precedence.
type ControlPlaneEvidence struct {
	// Setting is the value of ControlPlaneTypeAnnotation, or empty if the Cluster does not have it.
	Setting string
	// Provider is the kind of the object that manages the control plane, such as KubeadmControlPlane, or empty if there is
	// none.
	Provider string
	// Machines are the control plane machines without a provider, oldest first. The list may end after the first
	// machine that determines the type.
	Machines []MachineEvidence
}

// MachineEvidence contains the facts about a control plane machine.
type MachineEvidence struct {
	Name string
	// Config is the kind of its bootstrap config, such as KubeadmConfig, or empty for a MachineBootstrapConfig.
	Config string
	// Distribution is the operating system of the machine's MachineBootstrapConfig, or empty if it is not known.
	Distribution string
}
