package controlplane

import (
	"slices"
	"strings"
	"time"
)

// The delays of decisions that depend on what no event reports.
const (
	// memberDelay follows an observation of etcd members that prevents an operation.
	memberDelay = 10 * time.Second
	// startDelay follows an attempt to start the cluster.
	startDelay = 10 * time.Second
)

// Plan returns the next operation for a control plane and its reason. Its rules are tried in order, and the first that
// applies decides. See docs/control-planes.md.
//
// An operation that fails is repeated, because nothing else follows from the same observation. Moving the leader is the
// exception: the caller clears Member.Leader and decides again.
func Plan(d Desired, o Observed, now time.Time) (Operation, Reason) {
	s := newPlanner(d, o, now).next()
	return s.Operation, s.Reason
}

// next returns the operation of the stage of the control plane: paused, being deleted, starting or running.
func (p *planner) next() *step {
	switch {
	case p.d.Paused:
		return p.waiting(0, because(CodePaused, "the control plane or its cluster is paused"))
	case p.d.Deleting:
		return p.tearDown()
	case p.d.Unclaimed:
		return p.wait(0, CodeWaitingForCluster, "no Cluster refers to the control plane")
	case !p.o.Initialized && p.ran():
		return p.wait(memberDelay, CodeWaitingForInitialization, "the cluster ran before, and its API server does not answer")
	case !p.o.Initialized:
		return p.start()
	case len(p.machines) == 0 && p.o.ForeignMachines:
		return p.wait(0, CodeHeld, "all control plane Machines belong to another controller")
	case len(p.machines) == 0:
		return p.wait(0, CodeNoMachines, "the cluster is initialized, and none of its control plane machines exists")
	case p.stacked() && !p.o.Members.Known:
		return p.wait(memberDelay, CodeMembersUnknown, "the etcd members are unknown%s: %s",
			since(p.o.Members.Since), text(p.o.Members.Problem))
	case p.stacked() && !p.votes.Holds():
		return p.wait(memberDelay, CodeQuorumLost, "%s; those that do not: %s", p.votes, p.silent())
	}
	return p.run()
}

// run applies the rules of a control plane whose cluster runs. A rule that does not apply leaves a note, and the
// following rules are tried: a deletion that is blocked blocks nothing else.
func (p *planner) run() *step {
	for _, rule := range []func() *step{
		p.removeStray, p.leave, p.supersede, p.remediate, p.join, p.create, p.shrink, p.updateAddons,
	} {
		if s := rule(); s != nil {
			return s
		}
	}
	if len(p.notes) > 0 {
		return p.waiting(p.notes[0].after, p.notes[0].reason)
	}
	if len(p.leaving) > 0 {
		return p.wait(0, CodeDeletingMachine, "the other machines are up to date, and %s is being deleted", names(p.leaving))
	}
	return p.wait(0, CodeUpToDate, "%s", count(len(p.staying), "machine is up to date", "machines are up to date"))
}

// ran reports whether the cluster was initialized before, although its initialization is not known, for example because
// its objects were moved. A single node proves nothing: the first machine registers before its initialization ends, and
// may fail afterwards.
func (p *planner) ran() bool {
	return slices.ContainsFunc(p.machines, func(m Machine) bool {
		return m.WasNode() || m.NodeName != "" && len(p.machines) > 1
	})
}

// silent names the machines and members that do not respond.
func (p *planner) silent() string {
	var names []string
	for _, m := range p.machines {
		if member, found := p.voter(m); found && !member.votes() {
			names = append(names, m.Name)
		}
	}
	for _, member := range p.rest {
		if !member.Learner && !member.votes() {
			names = append(names, member.id())
		}
	}
	return strings.Join(names, ", ")
}

// updateAddons updates the add-ons after all machines were replaced: kube-proxy must not be newer than an API server.
func (p *planner) updateAddons() *step {
	if p.o.AddonsCurrent || p.d.Held != "" || len(p.staying) == 0 || len(p.leaving) > 0 {
		return nil
	}
	return do(Operation{Kind: KindUpdateAddons}, CodeUpdatingAddons, "kube-proxy and CoreDNS are updated to %s",
		p.d.Template.Version)
}

// tearDown deletes all machines once no worker is left: workers need the API server. Etcd is not changed, because no
// member has to survive.
func (p *planner) tearDown() *step {
	if p.o.Workers > 0 {
		return p.wait(0, CodeWaitingForWorkers, "the control plane is deleted after its workers, of which %d exist",
			p.o.Workers)
	}
	for _, m := range p.staying {
		return do(Operation{Kind: KindDeleteMachine, Machine: m.Name}, CodeDeletingControlPlane,
			"machine %s is deleted with the control plane", m.Name)
	}
	for _, m := range p.leaving {
		return do(Operation{Kind: KindReleaseMachine, Machine: m.Name}, CodeDeletingControlPlane,
			"machine %s is deleted with the control plane, without leaving etcd", m.Name)
	}
	if len(p.machines) > 0 {
		return p.wait(0, CodeDeletingControlPlane, "the infrastructure of %s is being deleted", names(p.machines))
	}
	if p.d.Unclaimed {
		return do(Operation{Kind: KindFinish}, CodeDeletingControlPlane, "no Cluster refers to the control plane")
	}
	return do(Operation{Kind: KindFinish}, CodeDeletingControlPlane, "no machine is left")
}
