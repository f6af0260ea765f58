package controlplane_test

import (
	"slices"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// The model of a control plane: machines, their etcd members, and members whose machines are gone. A state is small
// enough to visit all of them. Machines that differ only in their identity are interchangeable.

// slot is the state of one machine; zero is no machine.
type slot uint16

// The phases of a machine. A provisioning machine may have a member that is a learner.
const (
	none slot = iota
	provisioning
	running
	draining
	due
	terminating
	phases slot = 7
)

// The states of the member of a machine.
const (
	learner slot = 1 << 3
	voter   slot = 2 << 3
	member  slot = learner | voter
)

// The other properties of a machine: it works, a health check marked it, it is up to date, it is known as a node, and
// its API server does not start, so that it never becomes one.
const (
	up     slot = 1 << 5
	marked slot = 1 << 6
	fresh  slot = 1 << 7
	joined slot = 1 << 8
	mute   slot = 1 << 9
)

func (m slot) phase() slot     { return m & phases }
func (m slot) has(s slot) bool { return m&s != 0 }

// to returns the machine in another phase. Marks and templates do not matter once it is deleted, nor its node once it
// terminates without a member.
func (m slot) to(phase slot) slot {
	m = m&^phases | phase
	if phase == draining || phase == due {
		m &^= marked | fresh
	}
	if phase == terminating {
		m &= member | phases | joined
		if !m.has(member) {
			m &^= joined
		}
	}
	return m
}

// capacity is the number of machines that a state can contain, of which some terminate.
const capacity = 16

// state is a state of the model.
type state struct {
	machines [capacity]slot
	// initialized means that the cluster exists. learners and voters are members without a machine; they do not respond.
	initialized      bool
	learners, voters uint8
	// failures is the number of failures that may still occur.
	failures uint8
	// talos means that the machines boot alike: an operation starts the cluster, and a join is tried again forever.
	talos bool
	// late means that a machine votes for some time before it is known as a node, and broken that an API server may fail
	// to start.
	late, broken bool
}

// sorted returns the representative of the states that differ in the order of the machines.
func (s state) sorted() state {
	slices.SortFunc(s.machines[:], func(a, b slot) int { return int(b) - int(a) })
	return s
}

// with returns the state after a machine changed.
func (s state) with(i int, m slot) state {
	s.machines[i] = m
	return s
}

// failed returns the state after a failure.
func (s state) failed() state {
	s.failures--
	return s
}

// add returns the state with another machine, or the same state if there is no room for it.
func (s state) add(m slot) (state, bool) {
	i := slices.Index(s.machines[:], none)
	if i < 0 {
		return s, false
	}
	return s.with(i, m), true
}

// count returns the number of machines for which f is true.
func (s state) count(f func(slot) bool) int {
	n := 0
	for _, m := range s.machines {
		if m != none && f(m) {
			n++
		}
	}
	return n
}

// alive reports whether the machine has a vote and works. A machine that terminates is powered off at any time.
func alive(m slot) bool { return m.has(voter) && m.has(up) && m.phase() != terminating }

// asked reports whether the controller can ask the member of the machine: that of a Talos machine by its address, and
// another one through the API server, as soon as the machine is a node.
func (s state) asked(m slot) bool { return alive(m) && (s.talos || m.has(joined)) }

// confirmed reports whether a list of the members proves that all respond: a quorum of two needs both.
func (s state) confirmed() bool { return !s.talos && s.votes() == 2 && s.quorate() }

// obscured reports whether a member that cannot be asked is needed for the quorum while another one does not respond.
// Then it is not known which of both responds, and a user has to start one of the machines.
func (s state) obscured() bool {
	return s.votes() > 2 && 2*s.count(s.asked) <= s.votes() && s.alive() < s.votes()
}

func (s state) votes() int { return s.count(func(m slot) bool { return m.has(voter) }) + int(s.voters) }
func (s state) alive() int { return s.count(alive) }

func (s state) anyLearner() bool {
	return s.learners > 0 || s.count(func(m slot) bool { return m.has(learner) }) > 0
}

// quorate reports whether etcd accepts writes. It does not use the counting of the product.
func (s state) quorate() bool { v := s.votes(); return v > 0 && 2*s.alive() > v }

// mayRemove is the check of etcd with --strict-reconfig-check (mayRemoveMember in server/etcdserver/server.go of etcd
// 3.6), for members that all have started.
func (s state) mayRemove(responds bool) bool {
	if !s.quorate() {
		return false
	}
	return !responds || s.alive()-1 >= 1+(s.votes()-1)/2
}

// mayAdd is the check of etcd for a new member (mayAddMember), which is the same for learners.
func (s state) mayAdd() bool { return s.votes() > 0 && s.alive() == s.votes() }

// goal reports whether the control plane is as desired.
func (s state) goal(replicas int) bool {
	const perfect = running | voter | up | fresh | joined
	return s.initialized && s.learners == 0 && s.voters == 0 &&
		s.count(func(m slot) bool { return m == perfect }) == replicas &&
		s.count(func(slot) bool { return true }) == replicas
}

// apply carries out an operation. Machines and members are identified by their index in the state for which Plan
// decided; a machine that does not exist any more, or a refusal, changes nothing. It reports whether etcd refused.
func (s state) apply(o controlplane.Operation) (next state, refused bool) {
	switch o.Kind {
	case controlplane.KindCreateFirstMachine, controlplane.KindCreateMachine:
		next, _ = s.add(provisioning | up | fresh)
		return next, false
	case controlplane.KindDeleteMachine:
		i := machineIndex(o.Machine)
		if p := s.machines[i].phase(); p == provisioning || p == running {
			s = s.with(i, s.machines[i].to(draining))
		}
	case controlplane.KindReleaseMachine:
		i := machineIndex(o.Machine)
		if p := s.machines[i].phase(); p == draining || p == due {
			s = s.with(i, s.machines[i].to(terminating))
		}
	case controlplane.KindRemoveMember:
		return s.remove(o.Member)
	case controlplane.KindStartCluster:
		return s.start(machineIndex(o.Machine)), false
	case controlplane.KindWait, controlplane.KindGenerateCertificates, controlplane.KindPrepareJoin,
		controlplane.KindMoveLeader, controlplane.KindUpdateAddons, controlplane.KindFinish:
	}
	return s, false
}

// start makes a machine start the cluster, if it can be reached and no machine has a member.
func (s state) start(i int) state {
	m := s.machines[i]
	if s.initialized || !s.talos || !m.has(up) || m.phase() != provisioning {
		return s
	}
	s.initialized = true
	return s.with(i, m.to(running)|voter|joined)
}

// remove removes a member by its ID. The member of a machine that vanished is one without a machine.
func (s state) remove(id uint64) (next state, refused bool) {
	if !s.quorate() {
		return s, true
	}
	i := int(id % idRange)
	m := s.machines[i]
	switch {
	case id >= strayVoterID:
		if s.voters > 0 {
			s.voters--
		}
	case id >= strayLearnerID:
		if s.learners > 0 {
			s.learners--
		}
	case m == none && s.voters > 0:
		s.voters--
	case m.has(voter) && !s.mayRemove(alive(m)):
		return s, true
	case m.has(member):
		s = s.with(i, (m &^ (member | up | mute)).to(m.phase()))
	}
	return s, false
}
