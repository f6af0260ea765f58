package controlplane

import "time"

// Observed is what is known about a control plane.
type Observed struct {
	// InfrastructureReady means that the infrastructure of the cluster is provisioned, and EndpointKnown that the cluster
	// has an endpoint.
	InfrastructureReady, EndpointKnown bool
	// CertificatesReady means that the cluster has all key pairs. MissingCertificates names the others.
	CertificatesReady   bool
	MissingCertificates []string
	// Initialized means that the API server of the first machine accepts requests. It stays true.
	Initialized bool
	Machines    []Machine
	// ForeignMachines means that the cluster has control plane machines of another controller, which are not in Machines.
	ForeignMachines bool
	// OtherNodes are the control plane nodes without a machine whose API server is healthy. Their etcd members run, and
	// they may not be asked, because only those of machines are. NodesUnknown means that the workload cluster does not
	// answer.
	OtherNodes   []string
	NodesUnknown bool
	// NodesWithoutMachine are all control plane nodes without a machine, whatever the health of their API servers: their
	// etcd members may run.
	NodesWithoutMachine []string
	Members             Members
	// JoinPrepared means that the workload cluster has the configuration and permissions that machines of the desired
	// version need to join. AddonsCurrent means that kube-proxy and CoreDNS are as desired.
	JoinPrepared, AddonsCurrent bool
	// Workers is the number of worker machines and machine pools of the cluster.
	Workers int
	// Remediated is the last remediation, as it was recorded with the deletion of the machine, until a machine is created
	// that replaces it. It is nil if there is none.
	Remediated *Retry
}

// Phase is the stage of a machine's life.
type Phase string

// The phases.
const (
	// PhaseCreating means that the machine has no provider ID yet.
	PhaseCreating Phase = "Creating"
	// PhaseProvisioned means that the machine exists and that it is not a node yet.
	PhaseProvisioned Phase = "Provisioned"
	// PhaseRunning means that the machine is a node.
	PhaseRunning Phase = "Running"
	// PhaseDeleting means that the machine is being deleted and is drained, or waits for hooks of others.
	PhaseDeleting Phase = "Deleting"
	// PhaseDue means that the deletion waits for nothing but the hook of the control plane.
	PhaseDue Phase = "Due"
	// PhaseTerminating means that the hook was removed: the infrastructure is being deleted.
	PhaseTerminating Phase = "Terminating"
)

// Health is the health of a part of a machine.
type Health string

// The values of Health. The zero value means that the health is unknown.
const (
	HealthUnknown   Health = ""
	HealthHealthy   Health = "Healthy"
	HealthUnhealthy Health = "Unhealthy"
)

// Component is a control plane component that runs on each machine.
type Component string

// The components.
const (
	ComponentAPIServer         Component = "kube-apiserver"
	ComponentControllerManager Component = "kube-controller-manager"
	ComponentScheduler         Component = "kube-scheduler"
	ComponentEtcd              Component = "etcd"
)

// Machine is a machine of the control plane.
type Machine struct {
	Name string
	// Template is what the machine was created from.
	Template Template
	// KubeletVersion is the version that the node reports, or empty.
	KubeletVersion string
	FailureDomain  string
	CreatedAt      time.Time
	Phase          Phase
	// NodeName is the name of its node, or empty.
	NodeName string
	// Addresses are its IP addresses, as far as they are known.
	Addresses []string
	// MemberID is the ID of its etcd member as it was recorded, or zero.
	MemberID uint64
	// Components is the health of the components; a missing one is unknown.
	Components map[Component]Health
	// Marks are those of kubeadm on its node, or nil if the workload cluster does not answer.
	Marks *NodeMarks
	// OwnTaints means that the taints of its node are configured without the default one of control plane nodes.
	OwnTaints bool
	// CertificatesExpireAt is the expiry of the API server's certificate, or the zero time.
	CertificatesExpireAt time.Time
	// Unhealthy means that a health check marked the machine for remediation. RemediationRequested means that a user
	// requested it, and DeletionPreferred that a user wants this machine deleted first.
	Unhealthy, RemediationRequested, DeletionPreferred bool
	// Failure is why the machine cannot become a node, such as a failed bootstrap, on one line. It is empty if nothing
	// is known to have failed.
	Failure string
	// Replaces is the remediation that this machine is the replacement for, or nil.
	Replaces *Retry
}

// NodeMarks mark a node as one of the control plane: a label and the default taint, both of the name ControlPlaneRole.
type NodeMarks struct{ Labelled, Tainted bool }

// ControlPlaneRole is the label and the key of the taint with which kubeadm marks control plane nodes.
const ControlPlaneRole = "node-role.kubernetes.io/control-plane"

// IsDefaultTaint reports whether kubeadm sets the taint on control plane nodes.
func IsDefaultTaint(key, effect string) bool {
	return key == ControlPlaneRole && effect == "NoSchedule"
}

// Retry is one link of a chain of remediations.
type Retry struct {
	// Machine is the name of the machine that was remediated.
	Machine string
	// At is the time of the remediation.
	At time.Time
	// Count is the number of retries so far.
	Count int
}

// Members are the etcd members of a control plane.
type Members struct {
	// Known means that a member answered with a list. The other fields but Since and Problem are valid only then.
	Known bool
	// Since is the time of the observation, or since when the members are unknown. Problem explains why they are.
	Since   time.Time
	Problem string
	List    []Member
}

// Member is an etcd member.
type Member struct {
	ID uint64
	// Name is the name of the member; it is empty before the member has started.
	Name string
	// PeerAddresses are the hosts of its peer URLs.
	PeerAddresses []string
	// Learner means that the member does not vote.
	Learner bool
	// Responds means that at the last observation the member itself reported a leader, or that the list of members was one
	// that etcd could not return without it.
	Responds bool
	// Leader means that the member reports itself as the leader.
	Leader bool
	// Alarms are the alarms of the member, such as NOSPACE.
	Alarms []string
}
