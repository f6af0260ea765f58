package controlplane

import "slices"

// matching assigns members to machines.
type matching struct {
	// byMachine contains the member of each machine that has one.
	byMachine map[string]Member
	// rest are the members that belong to no machine.
	rest []Member
	// exact means that every assigned member has an address of its machine. Then a member with another address belongs to
	// another machine.
	exact bool
}

// match assigns each member to at most one machine: by its peer addresses, then by the name of the node, then by the
// recorded ID, and then the second one of two voters. A property that two machines or two members share assigns
// nothing.
func match(o Observed) matching {
	machines := o.Machines
	r := matching{byMachine: map[string]Member{}, rest: slices.Clone(o.Members.List), exact: true}
	for _, same := range []func(Machine, Member) bool{sameAddress, sameName, sameID} {
		r.assign(machines, same)
	}
	r.assignSecond(o)
	for _, m := range machines {
		if member, found := r.byMachine[m.Name]; found && !sameAddress(m, member) {
			r.exact = false
		}
	}
	return r
}

// assign assigns the members that exactly one machine without a member matches, if no other member matches it.
func (r *matching) assign(machines []Machine, same func(Machine, Member) bool) {
	found := map[string][]Member{}
	for _, member := range r.rest {
		var fits []Machine
		for _, m := range machines {
			if _, taken := r.byMachine[m.Name]; !taken && same(m, member) {
				fits = append(fits, m)
			}
		}
		if len(fits) == 1 {
			found[fits[0].Name] = append(found[fits[0].Name], member)
		}
	}
	for name, members := range found {
		if len(members) == 1 {
			r.byMachine[name] = members[0]
			r.rest = slices.DeleteFunc(r.rest, func(m Member) bool { return m.ID == members[0].ID })
		}
	}
}

// assignSecond assigns the second one of two voters to the second machine, whose API server does not start: it is not a
// node, and infrastructure providers may report its addresses only when it is one. The member must respond, and must
// not be able to belong to a machine of another controller or to a node without a machine. A node whose API server is
// not healthy may run a member, too. A machine whose recorded member is another one cannot own it.
func (r *matching) assignSecond(o Observed) {
	if CountVotes(o.Members.List).Voters != 2 || len(r.rest) != 1 || !r.rest[0].votes() || o.ForeignMachines ||
		o.NodesUnknown || slices.Contains(o.NodesWithoutMachine, r.rest[0].Name) {
		return
	}
	second := r.rest[0]
	candidates := slices.DeleteFunc(slices.Clone(o.Machines), func(m Machine) bool {
		_, found := r.byMachine[m.Name]
		return found || m.MemberID != 0 && m.MemberID != second.ID
	})
	if len(candidates) == 1 && candidates[0].NodeName == "" && len(candidates[0].Addresses) == 0 {
		r.byMachine[candidates[0].Name], r.rest = second, nil
	}
}

func sameAddress(m Machine, member Member) bool {
	return slices.ContainsFunc(member.PeerAddresses, func(a string) bool { return slices.Contains(m.Addresses, a) })
}

// sameName compares the name of the member with that of the node. Most nodes have the name of their machine.
func sameName(m Machine, member Member) bool {
	if m.NodeName == "" {
		return member.Name != "" && member.Name == m.Name
	}
	return member.Name == m.NodeName
}

func sameID(m Machine, member Member) bool { return m.MemberID != 0 && m.MemberID == member.ID }

// MemberOf returns the etcd member of the machine, and whether it is known to have one.
func (o Observed) MemberOf(m Machine) (Member, bool) {
	if !o.Members.Known {
		return Member{}, false
	}
	member, found := match(o).byMachine[m.Name]
	return member, found
}
