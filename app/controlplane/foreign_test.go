package controlplane_test

import (
	"context"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// foreign are objects and members of which one machine does not belong to the control plane: it is not listed, and its
// member is not asked, although it runs.
type foreign struct {
	ports.ControlPlaneObjects
	ports.EtcdMembers
	name string
}

func (f foreign) Read(ctx context.Context, key ports.Key) (ports.ControlPlane, error) {
	c, err := f.ControlPlaneObjects.Read(ctx, key)
	c.Observed.Machines = slices.DeleteFunc(c.Observed.Machines, func(m controlplane.Machine) bool {
		return m.Name == f.name
	})
	return c, err
}

func (f foreign) Observe(ctx context.Context, c ports.ControlPlane) (controlplane.Members, error) {
	m, err := f.EtcdMembers.Observe(ctx, c)
	for i := range m.List {
		m.List[i].Responds = m.List[i].Responds && m.List[i].Name != f.name
	}
	return m, err
}

// TestMembersOfOtherNodes checks that the member of a node without a Machine is not removed as a dead one, also while
// the workload cluster does not answer.
func TestMembersOfOtherNodes(t *testing.T) {
	w := three(t)
	other := foreign{w.reconciler.Objects, w.reconciler.Kubeadm.Members, w.names()[2]}
	w.reconciler.Objects, w.reconciler.Kubeadm.Members = other, other
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Replicas = 2 })
	for _, failing := range []map[string]error{nil, {"workload": context.DeadlineExceeded}} {
		w.faults.failing = failing
		w.runs(5)
		if got := w.status(); w.plane.Voters() != 3 || got.Reason.Code != controlplane.CodeForeignMember {
			w.fail("there are %d voters, and the reason is %s", w.plane.Voters(), got.Reason.Code)
		}
	}
}

// TestNodesWithoutMachine checks that a node without a Machine is observed also if its API server is not healthy.
func TestNodesWithoutMachine(t *testing.T) {
	w := three(t)
	name := w.names()[2]
	w.reconciler.Objects = foreign{ControlPlaneObjects: w.reconciler.Objects, name: name}
	for _, healthy := range []bool{true, false} {
		if !healthy {
			w.plane.Stop(name)
		}
		w.reconcile()
		o := w.status().Observed
		if !slices.Equal(o.NodesWithoutMachine, []string{name}) || slices.Contains(o.OtherNodes, name) != healthy {
			w.fail("healthy %t: the nodes are %q, and those with an API server %q", healthy, o.NodesWithoutMachine, o.OtherNodes)
		}
	}
}
