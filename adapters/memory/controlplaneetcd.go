package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// etcd is an etcd cluster.
type etcd struct {
	members []*etcdMember
	leader  uint64
	nextID  uint64
}

// etcdMember is an etcd member. Machine is the name of the machine that runs it.
type etcdMember struct {
	id      uint64
	machine string
	address string
	name    string
	learner bool
}

// restore adds a member that was observed. A member without a machine does not answer.
func (e *etcd) restore(m controlplane.Member, machine string) {
	restored := &etcdMember{id: m.ID, machine: machine, name: m.Name, learner: m.Learner}
	if len(m.PeerAddresses) > 0 {
		restored.address = m.PeerAddresses[0]
	}
	if m.Leader {
		e.leader = m.ID
	}
	e.nextID = max(e.nextID, m.ID)
	e.members = append(e.members, restored)
}

// alive reports whether the member answers. The caller has the lock.
func (w *ControlPlane) alive(e *etcdMember) bool {
	m := w.find(e.machine)
	return e.name != "" && m != nil && !m.stopped && m.Phase != controlplane.PhaseTerminating
}

// votes counts the voting members, and those of them that answer. The caller has the lock.
func (w *ControlPlane) votes() (voters, alive int) {
	for _, e := range w.etcd.members {
		if e.learner {
			continue
		}
		voters++
		if w.alive(e) {
			alive++
		}
	}
	return voters, alive
}

// quorate reports whether a majority of the voting members answers. The caller has the lock.
func (w *ControlPlane) quorate() bool {
	voters, alive := w.votes()
	return alive > voters/2
}

// elect elects a leader if there is none that answers. The caller has the lock.
func (w *ControlPlane) elect() {
	if !w.quorate() {
		w.etcd.leader = 0
		return
	}
	for _, e := range w.etcd.members {
		if e.id == w.etcd.leader && w.alive(e) {
			return
		}
	}
	for _, e := range w.etcd.members {
		if !e.learner && w.alive(e) {
			w.etcd.leader = e.id
			return
		}
	}
}

// Quorate reports whether the etcd cluster has a quorum, and Voters the number of voting members.
func (w *ControlPlane) Quorate() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.quorate()
}

// Voters returns the number of voting members.
func (w *ControlPlane) Voters() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	voters, _ := w.votes()
	return voters
}

// Members returns the etcd members of the control plane.
func (w *ControlPlane) Members() ports.EtcdMembers { return controlPlaneMembers{w} }

type controlPlaneMembers struct{ world *ControlPlane }

// Observe lists the members through one that answers.
func (v controlPlaneMembers) Observe(context.Context, ports.ControlPlane) (controlplane.Members, error) {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.elect()
	result := controlplane.Members{Since: w.Clock.Now()}
	for _, e := range w.etcd.members {
		responds := w.alive(e)
		result.Known = result.Known || responds
		result.List = append(result.List, controlplane.Member{
			ID: e.id, Name: e.name, PeerAddresses: []string{e.address}, Learner: e.learner, Responds: responds,
			Leader: responds && e.id == w.etcd.leader,
		})
	}
	if !result.Known {
		return controlplane.Members{Problem: "no member answers"}, nil
	}
	return result, nil
}

// MoveLeader moves the leadership to a voting member that answers.
func (v controlPlaneMembers) MoveLeader(_ context.Context, _ ports.ControlPlane, from, to uint64) error {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.elect()
	i := slices.IndexFunc(w.etcd.members, func(e *etcdMember) bool { return e.id == to })
	switch {
	case !w.quorate():
		return fmt.Errorf("%w: etcd has no quorum", ports.ErrUnreachable)
	case w.etcd.leader == to:
		return nil
	case w.etcd.leader != from, i < 0, w.etcd.members[i].learner, !w.alive(w.etcd.members[i]):
		return fmt.Errorf("moving the leader %w", ports.ErrRefused)
	}
	w.etcd.leader = to
	return nil
}

// Remove removes a member by the rules of etcd's strict reconfiguration check: a voting member that answers is removed
// only if those that answer without it are a quorum of the members that remain.
func (v controlPlaneMembers) Remove(_ context.Context, _ ports.ControlPlane, id uint64) error {
	w := v.world
	w.mutex.Lock()
	defer w.mutex.Unlock()
	i := slices.IndexFunc(w.etcd.members, func(e *etcdMember) bool { return e.id == id })
	if i < 0 {
		return nil
	}
	if !w.quorate() {
		return fmt.Errorf("%w: etcd has no quorum", ports.ErrUnreachable)
	}
	e := w.etcd.members[i]
	voters, alive := w.votes()
	if !e.learner && w.alive(e) && alive-1 < (voters-1)/2+1 {
		return fmt.Errorf("the removal %w: too few members would answer", ports.ErrRefused)
	}
	w.etcd.members = slices.Delete(w.etcd.members, i, i+1)
	w.elect()
	return nil
}

// join adds the member of a machine as a learner, promotes it, and reports whether it votes. The caller has the lock.
func (w *ControlPlane) join(m *simulated) bool {
	learners := 0
	for _, e := range w.etcd.members {
		if e.machine == m.Name && !e.learner {
			return true
		}
		if e.machine == m.Name && w.quorate() {
			e.learner, e.name = false, m.Name
			return false
		}
		if e.learner {
			learners++
		}
	}
	if learners == 0 && (w.quorate() || len(w.etcd.members) == 0) {
		w.etcd.nextID++
		w.etcd.members = append(w.etcd.members, &etcdMember{
			id: w.etcd.nextID, machine: m.Name, address: m.Addresses[0], learner: len(w.etcd.members) > 0,
		})
		if len(w.etcd.members) == 1 {
			w.etcd.members[0].name = m.Name
		}
	}
	return false
}
