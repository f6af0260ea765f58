package controlplane

import (
	"cmp"
	"slices"
)

// removeStray removes a member whose machine is gone or terminates: a learner always, because it does not vote, and a
// voter if it does not respond and the others are a quorum. A voter without a machine may run on one that is not
// adopted yet.
func (p *planner) removeStray() *step {
	for _, member := range p.strayMembers() {
		_, terminates := p.machineOf(member)
		switch {
		case !terminates && p.mayBelong(member):
			p.note("", memberDelay, CodeMemberUnassigned, "etcd member %s belongs to none of the machines by its addresses, "+
				"name or ID, and one of them has no member", member.id())
		case !terminates && p.foreign(member) != "":
			p.note("", 0, CodeForeignMember, "etcd member %s belongs to none of the machines, and %s", member.id(),
				p.foreign(member))
		case !p.votes.Without(member).Holds():
			p.note("", memberDelay, CodeRemovalBlocked, "etcd member %s has no machine, and without it %s", member.id(),
				p.votes.Without(member))
		default:
			return do(Operation{Kind: KindRemoveMember, Member: member.ID}, CodeRemovingStrayMember,
				"etcd member %s has no machine", member.id())
		}
	}
	return nil
}

// foreign returns why a member without a machine may be in use, or an empty string.
func (p *planner) foreign(member Member) string {
	switch {
	case member.votes():
		return "it responds"
	case p.o.ForeignMachines:
		return "another controller has control plane Machines"
	case member.Learner:
		return ""
	case p.o.NodesUnknown:
		return "the nodes of the cluster are unknown"
	case slices.Contains(p.o.OtherNodes, member.Name):
		return "the API server of node " + text(member.Name) + " is healthy"
	default:
		return ""
	}
}

// strayMembers returns the members without a machine that stays, learners first.
func (p *planner) strayMembers() []Member {
	all := slices.Clone(p.rest)
	for _, m := range p.machines {
		if member, found := p.byMachine[m.Name]; found && m.Phase == PhaseTerminating {
			all = append(all, member)
		}
	}
	slices.SortFunc(all, func(a, b Member) int {
		return cmp.Or(-compare(a.Learner, b.Learner), compare(a.votes(), b.votes()), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// machineOf returns the machine of the member.
func (p *planner) machineOf(member Member) (Machine, bool) {
	for _, m := range p.machines {
		if own, found := p.byMachine[m.Name]; found && own.ID == member.ID {
			return m, true
		}
	}
	return Machine{}, false
}

// mayBelong reports whether a member without a machine may belong to a machine without a member, which joins or whose
// member cannot be recognized. If that machine is being deleted, only the vote of a member that responds is needed.
func (p *planner) mayBelong(member Member) bool {
	candidates := p.staying
	if member.votes() {
		candidates = slices.Concat(p.staying, p.leaving)
	}
	return slices.ContainsFunc(candidates, func(m Machine) bool {
		return m.Failure == "" && p.matches(m, member)
	})
}

// matches reports whether a machine without a member and a member without a machine may belong together.
func (p *planner) matches(m Machine, member Member) bool {
	_, assigned := p.byMachine[m.Name]
	other := p.exact && len(m.Addresses) > 0 && len(member.PeerAddresses) > 0
	return !assigned && !other
}

// leave lets machines go whose deletion waits for the control plane: those with a dead member first, because the others
// may need a smaller quorum, then those without a vote, and the leader last.
func (p *planner) leave() *step {
	for _, m := range p.due() {
		if s := p.release(m); s != nil {
			return s
		}
	}
	return nil
}

// due returns the machines whose deletion waits for the control plane, in the order in which they leave.
func (p *planner) due() []Machine {
	rank := func(m Machine) int {
		member, found := p.byMachine[m.Name]
		switch {
		case found && !member.Learner && !member.votes():
			return 0
		case !found || member.Learner:
			return 1
		case !member.Leader:
			return 2
		default:
			return 3
		}
	}
	all := filter(p.leaving, func(m Machine) bool { return m.Phase == PhaseDue })
	slices.SortStableFunc(all, func(a, b Machine) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

// release returns the next operation for a machine that leaves, or nil if it cannot leave yet.
func (p *planner) release(m Machine) *step {
	member, found := p.byMachine[m.Name]
	switch {
	case !found && p.stacked() && p.mayHaveMember(m):
		p.note(m.Name, memberDelay, CodeMemberUnassigned, "machine %s is being deleted, and its etcd member is not "+
			"recognized by its addresses, name or ID", m.Name)
		return nil
	case !found && p.d.ExternalEtcd && !p.servedWithout(m):
		p.block(m, CodeLastMachine, "machine %s is being deleted, and stays because no other has a healthy API server",
			m.Name)
		return nil
	case !found:
		return do(Operation{Kind: KindReleaseMachine, Machine: m.Name}, CodeReleasingMachine,
			"machine %s is being deleted and has no etcd member", m.Name)
	case !member.Learner && !p.mayLeave(m, member):
		return nil
	case member.Leader && p.successor(m) != 0:
		return do(Operation{Kind: KindMoveLeader, Machine: m.Name, Member: member.ID, Successor: p.successor(m)},
			CodeRemovingMember, "machine %s is being deleted and leads etcd", m.Name)
	default:
		return do(Operation{Kind: KindRemoveMember, Machine: m.Name, Member: member.ID}, CodeRemovingMember,
			"machine %s is being deleted, and %s without it", m.Name, p.votes.Without(member))
	}
}

// mayLeave reports whether the voting member may be removed, and records why not.
func (p *planner) mayLeave(m Machine, member Member) bool {
	rest := p.votes.Without(member)
	switch {
	case rest.Voters == 0:
		p.block(m, CodeLastMachine, "machine %s is being deleted, and stays because it has the last etcd member", m.Name)
	case !rest.Holds():
		p.block(m, CodeDeletionBlocked, "machine %s is being deleted, and without its etcd member %s", m.Name, rest)
	case rest.Voters == 1 && p.d.Replicas > 2 && p.responds(m) && p.growing():
		p.block(m, CodeDeletingMachine, "machine %s is being deleted, and stays until another one has joined", m.Name)
	case !p.servedWithout(m):
		p.block(m, CodeLastMachine, "machine %s is being deleted, and stays because no other has a healthy API server",
			m.Name)
	default:
		return true
	}
	return false
}

// growing reports whether a machine joins, or is missing and may be created now.
func (p *planner) growing() bool {
	joins := func(m Machine) bool { return !p.joined(m) }
	return slices.ContainsFunc(p.staying, joins) || len(p.staying) < p.d.Replicas && p.mayCreate() == nil
}

// block records that a machine can leave only after another one has joined or recovered.
func (p *planner) block(m Machine, code Code, format string, args ...any) {
	p.blocked = true
	p.note(m.Name, memberDelay, code, format, args...)
}

// mayVote reports whether a voting member that responds and has no machine may be that of the machine. Then the machine
// must not be treated as one without a vote.
func (p *planner) mayVote(m Machine) bool {
	return slices.ContainsFunc(p.rest, func(member Member) bool { return member.votes() && p.matches(m, member) })
}

// mayHaveMember reports the same for any member: a learner votes as soon as it is promoted, and a voter that does not
// respond may be one that cannot be asked, because its machine has no node.
func (p *planner) mayHaveMember(m Machine) bool {
	return slices.ContainsFunc(p.rest, func(member Member) bool { return p.matches(m, member) })
}

// successor returns the member that leads after the machine: preferably one that is up to date and not marked. It is
// zero if there is none.
func (p *planner) successor(leaver Machine) uint64 {
	candidates := filter(p.staying, func(m Machine) bool { return m.Name != leaver.Name && p.responds(m) })
	if len(candidates) == 0 {
		return 0
	}
	next := slices.MinFunc(candidates, func(a, b Machine) int {
		return cmp.Or(compare(a.marked(), b.marked()), compare(p.outdated(a), p.outdated(b)), older(b, a))
	})
	return p.byMachine[next.Name].ID
}

// compare orders false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
