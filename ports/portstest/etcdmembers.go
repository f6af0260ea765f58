package portstest

import (
	"testing"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// EtcdCluster is an etcd cluster of three voting members under test. All of them respond.
type EtcdCluster struct {
	Members ports.EtcdMembers
	// ControlPlane describes the machines of the members.
	ControlPlane func() ports.ControlPlane
	// Stop stops a member. Its machine stays.
	Stop func(t *testing.T, member uint64)
	// SelectsSuccessor means that etcd selects the next leader itself.
	SelectsSuccessor bool
	// Settle waits until etcd regards the members that run as healthy. Real members need some seconds.
	Settle func(t *testing.T)
}

// EtcdMembers checks an implementation. The checks share a cluster, because real members start slowly.
func EtcdMembers(t *testing.T, fresh func(t *testing.T) EtcdCluster) {
	t.Run("members are observed, moved and removed", func(t *testing.T) {
		c := fresh(t)
		c.checkAll(t)
		leader, others := c.observe(t, 3)
		c.checkMove(t, leader, others)
		leader, others = c.observe(t, 3)
		c.checkStopped(t, leader, others[0], others[1])
		c.checkLast(t)
	})
	t.Run("no member answers", func(t *testing.T) {
		c := fresh(t)
		leader, others := c.observe(t, 3)
		for _, m := range append(others, leader) {
			c.Stop(t, m.ID)
		}
		got, err := c.Members.Observe(t.Context(), c.ControlPlane())
		want(t, "observe", err, nil)
		if got.Known || got.Problem == "" {
			t.Errorf("observed %+v; want unknown members and a problem", got)
		}
		want(t, "move the leader", c.Members.MoveLeader(t.Context(), c.ControlPlane(), leader.ID, others[0].ID),
			ports.ErrUnreachable)
		want(t, "remove", c.Members.Remove(t.Context(), c.ControlPlane(), leader.ID), ports.ErrUnreachable)
	})
}

// observe returns the leader and the other members.
func (c EtcdCluster) observe(t *testing.T, n int) (leader controlplane.Member, others []controlplane.Member) {
	t.Helper()
	got, err := c.Members.Observe(t.Context(), c.ControlPlane())
	want(t, "observe", err, nil)
	if !got.Known || len(got.List) != n {
		t.Fatalf("observed %+v; want %d members", got, n)
	}
	for _, m := range got.List {
		if m.Leader {
			leader = m
		} else {
			others = append(others, m)
		}
	}
	if len(others) != n-1 {
		t.Fatalf("observed %d leaders, want one: %+v", n-len(others), got.List)
	}
	return leader, others
}

func (c EtcdCluster) checkAll(t *testing.T) {
	t.Helper()
	leader, others := c.observe(t, 3)
	for _, m := range append(others, leader) {
		if !m.Responds || m.ID == 0 || m.Name == "" || m.Learner || len(m.PeerAddresses) == 0 || len(m.Alarms) > 0 {
			t.Errorf("observed %+v; want a voting member that responds, with name and address, without alarms", m)
		}
	}
}

func (c EtcdCluster) checkMove(t *testing.T, leader controlplane.Member, others []controlplane.Member) {
	t.Helper()
	want(t, "move the leader to a member that does not exist",
		c.Members.MoveLeader(t.Context(), c.ControlPlane(), leader.ID, unusedID(leader, others)), ports.ErrRefused)
	for range 2 {
		want(t, "move the leader", c.Members.MoveLeader(t.Context(), c.ControlPlane(), leader.ID, others[0].ID), nil)
		moved, _ := c.observe(t, 3)
		if moved.ID == leader.ID || !c.SelectsSuccessor && moved.ID != others[0].ID {
			t.Errorf("%x leads, want %x", moved.ID, others[0].ID)
		}
	}
}

// unusedID returns an ID that no member has.
func unusedID(leader controlplane.Member, others []controlplane.Member) uint64 {
	id := leader.ID
	for _, m := range others {
		id = max(id, m.ID)
	}
	return id + 1
}

// checkStopped checks that a member which does not respond can be removed, and that another one can not.
func (c EtcdCluster) checkStopped(t *testing.T, leader, stopped, running controlplane.Member) {
	t.Helper()
	c.Settle(t)
	c.Stop(t, stopped.ID)
	_, others := c.observe(t, 3)
	for _, m := range others {
		if m.Responds == (m.ID == stopped.ID) {
			t.Errorf("%x responds: %t", m.ID, m.Responds)
		}
	}
	want(t, "remove a member without which there is no quorum",
		c.Members.Remove(t.Context(), c.ControlPlane(), running.ID), ports.ErrRefused)
	c.observe(t, 3)
	for range 2 {
		want(t, "remove the stopped member", c.Members.Remove(t.Context(), c.ControlPlane(), stopped.ID), nil)
	}
	if same, _ := c.observe(t, 2); same.ID != leader.ID {
		t.Errorf("%x leads, want %x", same.ID, leader.ID)
	}
}

// checkLast checks that the last member stays.
func (c EtcdCluster) checkLast(t *testing.T) {
	t.Helper()
	leader, others := c.observe(t, 2)
	c.Settle(t)
	want(t, "remove the member before the last", c.Members.Remove(t.Context(), c.ControlPlane(), others[0].ID), nil)
	c.observe(t, 1)
	want(t, "remove the last member", c.Members.Remove(t.Context(), c.ControlPlane(), leader.ID), ports.ErrRefused)
	c.observe(t, 1)
}
