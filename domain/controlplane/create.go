package controlplane

import (
	"slices"

	"github.com/machineadm/machineadm/domain/node"
)

// join waits for machines that have not joined, unless they are more than needed.
func (p *planner) join() *step {
	var joining []Machine
	for _, m := range p.staying {
		if !p.joined(m) {
			joining = append(joining, m)
		}
	}
	if len(joining) == 0 {
		return nil
	}
	last := joining[len(joining)-1]
	if len(p.staying) > p.limit() && p.d.Held == "" && !last.WasNode() {
		return do(Operation{Kind: KindDeleteMachine, Machine: last.Name}, CodeScalingDown,
			"machine %s has not joined and is not needed", last.Name)
	}
	if p.parallel() && len(p.staying) < p.d.Replicas {
		return nil
	}
	return p.waitForJoin(joining[0])
}

// limit is the number of machines that may exist besides those that are being deleted.
func (p *planner) limit() int {
	if slices.ContainsFunc(p.staying, p.replaces) {
		return p.d.Replicas + p.surge()
	}
	return p.d.Replicas
}

// waitForJoin waits for a machine. If it failed and is not replaced, that is the reason.
func (p *planner) waitForJoin(m Machine) *step {
	for _, n := range p.notes {
		if n.machine == m.Name {
			return p.waiting(n.after, n.reason)
		}
	}
	if m.Phase == PhaseRunning {
		return p.wait(memberDelay, CodeWaitingForMember, "machine %s is a node, and no voting etcd member yet", m.Name)
	}
	return p.wait(0, CodeWaitingForMachine, "machine %s is being created", m.Name)
}

// create creates a machine if one is missing, or if a rollout may create another one before it deletes one.
func (p *planner) create() *step {
	missing := len(p.staying) < p.d.Replicas
	if !missing && len(p.staying) >= p.limit() {
		return nil
	}
	room := p.d.Replicas + p.surge() - len(p.staying) - len(p.leaving)
	if p.blocked {
		room++
	}
	if room <= 0 {
		return p.wait(0, CodeDeletingMachine, "a machine is created after the deletion of %s", names(p.leaving))
	}
	if s := p.mayCreate(); s != nil {
		return s
	}
	if !missing {
		if s := p.othersFit(""); s != nil {
			return s
		}
	}
	if !p.o.JoinPrepared {
		return p.prepareJoin()
	}
	o := Operation{Kind: KindCreateMachine, FailureDomain: p.place(), Replaces: p.o.Remediated}
	if missing {
		return do(o, CodeScalingUp, "a machine is created, because %d of %d exist", len(p.staying), p.d.Replicas)
	}
	code, message := p.rollout()
	return do(o, code, "%s", message)
}

func (p *planner) prepareJoin() *step {
	return do(Operation{Kind: KindPrepareJoin}, CodePreparingJoin, "the cluster is prepared for machines of version %s",
		p.d.Template.Version)
}

// mayCreate returns why no machine may be created now, or nil.
func (p *planner) mayCreate() *step {
	if s := p.mayReplace(); s != nil {
		return s
	}
	switch {
	case !slices.ContainsFunc(p.machines, p.serves):
		return p.wait(0, CodeAPIServerUnhealthy, "a machine cannot join, because no API server is healthy")
	case p.stacked():
		return p.mayAddMember()
	default:
		return nil
	}
}

// mayReplace returns why the replacement of a machine could not be created, or nil. The health of the other machines is
// left out, because it may change with the deletion of the machine.
func (p *planner) mayReplace() *step {
	switch {
	case p.d.Held != "":
		return p.held()
	case p.skew() != "":
		return p.wait(0, CodeVersionSkew, "%s", p.skew())
	case !p.o.CertificatesReady:
		return p.certificatesMissing()
	case !p.o.InfrastructureReady:
		return p.waitForInfrastructure()
	case !p.o.EndpointKnown:
		return p.waitForEndpoint()
	default:
		return nil
	}
}

// mayAddMember returns why no etcd member may join now, or nil.
//
// The member of a machine that leaves before it is a node cannot be asked, and it may vote until it is removed. With a
// second one, it would not be known whether etcd has a quorum.
func (p *planner) mayAddMember() *step {
	for _, m := range p.leaving {
		if m.NodeName == "" && !p.parallel() {
			return p.wait(memberDelay, CodeDeletingMachine, "no other machine can join before %s is gone, which has no node",
				m.Name)
		}
	}
	for _, member := range p.o.Members.List {
		switch {
		case len(member.Alarms) > 0:
			return p.wait(memberDelay, CodeAlarmRaised, "a machine cannot join, because etcd member %s raises the alarm %s",
				p.memberName(member), list(member.Alarms))
		case member.Learner && !p.parallel():
			return p.wait(memberDelay, CodeWaitingForMember, "another machine cannot join before etcd member %s votes",
				p.memberName(member))
		}
	}
	if !p.votes.MayAdd() {
		return p.wait(memberDelay, CodeCreationBlocked, "%s, and etcd adds no member before all do; those that do not: %s",
			p.votes, p.silent())
	}
	return nil
}

// othersFit waits if a machine other than the named one is ill.
func (p *planner) othersFit(except string) *step {
	for _, m := range p.staying {
		if problem := p.illness(m); problem != "" && m.Name != except {
			return p.wait(memberDelay, CodeMachineUnhealthy,
				"no machine is replaced or deleted, because machine %s is unhealthy: %s", m.Name, problem)
		}
	}
	return nil
}

// illness returns the problem of a machine that has joined, or an empty string. Of a machine that is replaced, only
// what the others depend on counts: the rollout may be the repair.
func (p *planner) illness(m Machine) string {
	if member, found := p.voter(m); p.stacked() {
		switch {
		case !found:
			return "the etcd member is missing"
		case !member.votes():
			return "the etcd member does not respond"
		case len(member.Alarms) > 0:
			return "the etcd member raises the alarm " + list(member.Alarms)
		}
	}
	if p.replaces(m) {
		if m.Components[ComponentAPIServer] == HealthUnhealthy {
			return string(ComponentAPIServer) + " is not healthy"
		}
		return ""
	}
	for _, c := range []Component{ComponentAPIServer, ComponentControllerManager, ComponentScheduler} {
		if m.Components[c] != HealthHealthy {
			return string(c) + " is not healthy"
		}
	}
	return ""
}

// skew returns why machines of the desired version cannot join the others, or an empty string.
func (p *planner) skew() string {
	for _, m := range p.staying {
		if problem := node.CheckUpgrade(m.Template.Version, p.d.Template.Version); problem != "" && p.joined(m) {
			return "machine " + m.Name + ": " + problem
		}
	}
	return ""
}

func (p *planner) held() *step {
	return p.wait(0, CodeHeld, "machines are neither created nor replaced: %s", text(p.d.Held))
}

func (p *planner) certificatesMissing() *step {
	what := "Secrets of the cluster"
	if len(p.o.MissingCertificates) > 0 {
		what = list(p.o.MissingCertificates)
	}
	return p.wait(0, CodeCertificatesMissing, "no machine is created, because %s cannot be used", what)
}

func (p *planner) waitForInfrastructure() *step {
	return p.wait(0, CodeWaitingForInfrastructure, "the infrastructure of the cluster is not provisioned")
}

func (p *planner) waitForEndpoint() *step {
	return p.wait(0, CodeWaitingForEndpoint, "Cluster.spec.controlPlaneEndpoint is not set")
}
