package controlplane

import "time"

// Kind is the kind of an operation.
type Kind string

// The operations. Each is idempotent, and each leads to a state from which Plan continues after a crash.
const (
	// KindWait means that nothing is to be done before an object changes or Operation.After has passed.
	KindWait Kind = "Wait"
	// KindGenerateCertificates generates the key pairs of the cluster that do not exist.
	KindGenerateCertificates Kind = "GenerateCertificates"
	// KindCreateFirstMachine creates the machine that initializes the cluster.
	KindCreateFirstMachine Kind = "CreateFirstMachine"
	// KindStartCluster makes a machine start the cluster; control plane types need it whose machines boot alike.
	KindStartCluster Kind = "StartCluster"
	// KindPrepareJoin writes the configuration and permissions that machines of the desired version need to join.
	KindPrepareJoin Kind = "PrepareJoin"
	// KindCreateMachine creates a machine that joins.
	KindCreateMachine Kind = "CreateMachine"
	// KindDeleteMachine deletes a machine. Its hook keeps it until KindReleaseMachine.
	KindDeleteMachine Kind = "DeleteMachine"
	// KindMoveLeader moves the leadership of etcd to another member. A failure does not matter.
	KindMoveLeader Kind = "MoveLeader"
	// KindRemoveMember removes an etcd member.
	KindRemoveMember Kind = "RemoveMember"
	// KindReleaseMachine removes the hook from a machine that is being deleted, so that its infrastructure is deleted.
	KindReleaseMachine Kind = "ReleaseMachine"
	// KindUpdateAddons updates kube-proxy and CoreDNS.
	KindUpdateAddons Kind = "UpdateAddons"
	// KindFinish removes the finalizer of a control plane that is being deleted and has no machines.
	KindFinish Kind = "Finish"
)

// Operation is one operation. Which fields are set depends on the kind.
type Operation struct {
	Kind Kind
	// Machine is the name of the machine to delete, to release or to start the cluster on, or whose member is removed.
	Machine string
	// FailureDomain is where a machine is created, or empty.
	FailureDomain string
	// Member is the ID of the member to remove, or from which the leadership moves; Successor is the next leader.
	Member, Successor uint64
	// Replaces is the remediation that DeleteMachine records on the control plane, and that CreateMachine moves to the
	// machine that replaces the remediated one.
	Replaces *Retry
	// Remediates means that the machine is deleted because of a health check or a request.
	Remediates bool
	// After is the delay after which to decide again, or zero if only a change requires it.
	After time.Duration
}

// Reason is why Plan returns an operation.
type Reason struct {
	// Code is one of the reasons of this package. It is the reason of a condition.
	Code Code
	// Message explains the code on one line, with the names of machines and what a user can do.
	Message string
}

// Code identifies a reason.
type Code string
