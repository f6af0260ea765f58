package controlplane

import "slices"

// start decides before the cluster is initialized. No machine is known to have an etcd member.
func (p *planner) start() *step {
	for _, rule := range []func() *step{p.releaseUnstarted, p.supersede, p.remediate, p.first, p.others, p.startCluster} {
		if s := rule(); s != nil {
			return s
		}
	}
	for _, n := range p.notes {
		return p.waiting(n.after, n.reason)
	}
	return p.wait(startDelay, CodeWaitingForInitialization, "the cluster is being initialized by %s", names(p.machines))
}

// releaseUnstarted releases machines that are deleted before there is a cluster to leave.
func (p *planner) releaseUnstarted() *step {
	for _, m := range p.leaving {
		if m.Phase == PhaseDue {
			return do(Operation{Kind: KindReleaseMachine, Machine: m.Name}, CodeReleasingMachine,
				"machine %s is deleted before the cluster was initialized", m.Name)
		}
	}
	return nil
}

// first creates the machine that initializes the cluster. An earlier one has to be gone: two machines that initialize
// the cluster would create two clusters behind one endpoint.
func (p *planner) first() *step {
	switch {
	case len(p.staying) > 0:
		return nil
	case len(p.machines) > 0:
		return p.wait(0, CodeDeletingMachine, "the cluster is started after %s is gone", names(p.machines))
	case p.d.Replicas == 0:
		return p.wait(0, CodeNoReplicas, "spec.replicas is 0")
	}
	if s := p.prerequisites(); s != nil {
		return s
	}
	return do(Operation{Kind: KindCreateFirstMachine, FailureDomain: p.place(), Replaces: p.o.Remediated},
		CodeCreatingFirstMachine, "the first machine initializes the cluster")
}

// prerequisites returns what the first machine needs, or nil if there is all of it.
func (p *planner) prerequisites() *step {
	switch {
	case !p.o.InfrastructureReady:
		return p.waitForInfrastructure()
	case len(p.o.MissingCertificates) > 0:
		return do(Operation{Kind: KindGenerateCertificates}, CodeGeneratingCertificates, "%s are generated",
			list(p.o.MissingCertificates))
	case !p.o.CertificatesReady:
		return p.certificatesMissing()
	case !p.o.EndpointKnown:
		return p.waitForEndpoint()
	case p.d.Held != "":
		return p.held()
	default:
		return nil
	}
}

// others creates the other machines before the cluster is started, if all of them boot alike.
func (p *planner) others() *step {
	if !p.parallel() || len(p.staying) >= p.d.Replicas || p.prerequisites() != nil {
		return nil
	}
	return do(Operation{Kind: KindCreateMachine, FailureDomain: p.place(), Replaces: p.o.Remediated}, CodeScalingUp,
		"a machine is created, because %d of %d exist", len(p.staying), p.d.Replicas)
}

// startCluster starts the cluster on the oldest machine that can be reached. It is repeated until the cluster is
// initialized, because the operation does nothing once it has succeeded. The message contains the first note, because a
// machine whose replacement is delayed may be why the cluster does not start.
func (p *planner) startCluster() *step {
	if !p.parallel() || p.o.Members.Known {
		return nil
	}
	i := slices.IndexFunc(p.staying, func(m Machine) bool { return m.Phase != PhaseCreating && len(m.Addresses) > 0 })
	if i < 0 {
		return p.wait(0, CodeWaitingForMachine, "no address of %s is known yet", names(p.staying))
	}
	m := p.staying[i].Name
	return &step{
		Operation{Kind: KindStartCluster, Machine: m, After: startDelay},
		p.withNote(because(CodeStartingCluster, "machine %s starts the cluster", m)),
	}
}
