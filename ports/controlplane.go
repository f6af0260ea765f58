package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// The errors of the ports of control planes, besides ErrConflict and ErrUnreachable. ErrUnreachable means that the
// workload cluster, or a machine of it, does not answer.
var (
	// ErrNoControlPlane means that there is no such control plane.
	ErrNoControlPlane = errors.New("no such control plane")
	// ErrRefused means that etcd or the API server refused the operation, for example because too few members would
	// remain. Nothing was changed.
	ErrRefused = errors.New("was refused")
)

// ControlPlane is a control plane as its objects in the management cluster describe it.
type ControlPlane struct {
	Key
	// ClusterName is the name of its cluster, in the same namespace.
	ClusterName string
	// Revision identifies the state that was read.
	Revision string
	Desired  controlplane.Desired
	// Observed is the part that the management cluster knows: no members, no components, and neither JoinPrepared nor
	// AddonsCurrent.
	Observed controlplane.Observed
	// Network contains the name, endpoint and subnets of the cluster, and Config the settings of the control plane
	// components.
	Network node.Cluster
	Config  node.ControlPlaneConfig
	// Addons specifies which add-ons are managed.
	Addons Addons
	// Snapshots specifies the snapshots of etcd, or is nil if none are taken.
	Snapshots *EtcdSnapshots
	// Findings are the mistakes in the specification. An error among them prevents every creation of a machine.
	Findings []report.Finding
}

// Addons specifies which add-ons of kubeadm are kept at the version of the control plane.
type Addons struct {
	KubeProxy, CoreDNS bool
}

// ControlPlaneObjects reads and changes the objects of control planes in the management cluster. All methods that
// change an object return ErrConflict if it changed since it was read. A method that finds its change already applied
// does nothing.
type ControlPlaneObjects interface {
	// Read returns the control plane, or ErrNoControlPlane.
	Read(ctx context.Context, key Key) (ControlPlane, error)
	// Propagate writes what changes without a replacement to the existing machines: labels, annotations, timeouts,
	// readiness gates, taints and the hook. An error names the machines that were not changed; the others are.
	Propagate(ctx context.Context, c ControlPlane) error
	// SetStatus announces and counts the operation, and writes the status, if it differs. See
	// ControlPlaneStatus.Interim.
	SetStatus(ctx context.Context, c ControlPlane, status ControlPlaneStatus) error
	// Finish removes the finalizer of a control plane that is being deleted.
	Finish(ctx context.Context, c ControlPlane) error
}

// ControlPlaneStatus is the status of a control plane after a decision.
type ControlPlaneStatus struct {
	// Observed is the observation, with what the workload cluster and the members report.
	Observed  controlplane.Observed
	Operation controlplane.Operation
	Reason    controlplane.Reason
	// Failure is why the operation failed, without secrets, or empty.
	Failure string
	// Again means that the operation was carried out before, without another one in between.
	Again bool
	// Interim means that the next decision follows within a second and needs nothing of this status. It need not be
	// written, unless the written one says that nothing is to be done, or is that of an earlier specification.
	Interim bool
	// Problems are the failures of the tasks that run beside the plan, such as the kubeconfig, by name of the task.
	Problems map[string]string
}

// ControlPlaneMachines creates and deletes the machines of a control plane. Reads by ControlPlaneObjects that follow
// contain the change. A method that finds its change already applied does nothing.
type ControlPlaneMachines interface {
	// Create creates a machine, its bootstrap configuration and its infrastructure machine, in the failure domain of the
	// operation. If one of them cannot be created, none of them remains. The names follow from the control plane as it was
	// read: a second call with the same arguments creates nothing.
	Create(ctx context.Context, c ControlPlane, o controlplane.Operation) error
	// Delete deletes the machine of the operation, and records a remediation.
	Delete(ctx context.Context, c ControlPlane, o controlplane.Operation) error
	// Release removes the hook from the machine.
	Release(ctx context.Context, c ControlPlane, machine string) error
	// Record records the ID of the machine's member and the expiry of its certificates on the objects of the machine, so
	// that both are known while the workload cluster does not answer.
	Record(ctx context.Context, c ControlPlane, m controlplane.Machine) error
}

// EtcdMembers observes and changes the members of a control plane's etcd cluster. No connection outlives an error.
type EtcdMembers interface {
	// Observe asks for the list of members, and each member whether it responds. Members that cannot be listed are not
	// an error: then Members.Problem explains why.
	Observe(ctx context.Context, c ControlPlane) (controlplane.Members, error)
	// MoveLeader moves the leadership from one member to another. Errors are ErrUnreachable and ErrRefused.
	MoveLeader(ctx context.Context, c ControlPlane, from, to uint64) error
	// Remove removes the member through another one. It is not an error if there is no such member. Errors are
	// ErrUnreachable and ErrRefused.
	Remove(ctx context.Context, c ControlPlane, member uint64) error
}

// Workload is what the workload cluster reports.
type Workload struct {
	// Initialized means that the cluster is initialized: it has the objects that the first machine creates last.
	Initialized bool
	// Components is the health of the components by node.
	Components map[string]map[controlplane.Component]controlplane.Health
	// KubeletVersions are the versions of kubelet by node.
	KubeletVersions map[string]string
	// Tainted are the nodes with the default taint of control plane nodes. The nodes of KubeletVersions have its label.
	Tainted map[string]bool
	// JoinPrepared and AddonsCurrent are those of controlplane.Observed.
	JoinPrepared, AddonsCurrent bool
}

// WorkloadCluster reads and changes a workload cluster of kubeadm.
type WorkloadCluster interface {
	// Observe returns the workload cluster, or ErrUnreachable. The nodes and their components are those that a watch has
	// reported. JoinPrepared and AddonsCurrent can be those of half a minute ago if a machine is missing or outdated, and
	// otherwise those of some minutes ago.
	Observe(ctx context.Context, c ControlPlane) (Workload, error)
	// PrepareJoin updates the ConfigMap kubeadm-config and the permissions for the desired version.
	PrepareJoin(ctx context.Context, c ControlPlane) error
	// UpdateAddons updates kube-proxy and CoreDNS. A missing add-on is not an error.
	UpdateAddons(ctx context.Context, c ControlPlane) error
	// CertificateExpiry returns the expiry of the serving certificate of the API server on the machine.
	CertificateExpiry(ctx context.Context, c ControlPlane, m controlplane.Machine) (time.Time, error)
}

// ClusterStarter starts a cluster whose machines boot alike, such as one of Talos machines.
type ClusterStarter interface {
	// Start makes the machine start the cluster. It does nothing if any machine of the control plane has etcd data. The
	// error is ErrUnreachable if one of them does not answer.
	Start(ctx context.Context, c ControlPlane, machine string) error
}

// Kubeconfigs manages the kubeconfig of a cluster for its administrators.
type Kubeconfigs interface {
	// Ensure creates or renews the kubeconfig, also after a change of the endpoint or the CA. It leaves a Secret of
	// another type alone.
	Ensure(ctx context.Context, c ControlPlane) error
}
