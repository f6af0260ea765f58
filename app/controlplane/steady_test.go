package controlplane_test

import (
	"context"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// countedMembers counts observations.
type countedMembers struct {
	ports.EtcdMembers
	count int
	// silent makes one member not respond, without any other sign.
	silent bool
}

func (c *countedMembers) Observe(ctx context.Context, p ports.ControlPlane) (controlplane.Members, error) {
	c.count++
	found, err := c.EtcdMembers.Observe(ctx, p)
	if c.silent && len(found.List) > 0 {
		found.List[0].Responds = false
	}
	return found, err
}

// newSteady returns a control plane of three machines for which nothing is to be done, and its members.
func newSteady(t *testing.T) (*world, *countedMembers) {
	t.Helper()
	w := newWorld(t)
	members := &countedMembers{EtcdMembers: w.reconciler.Kubeadm.Members}
	w.reconciler.Kubeadm.Members = members
	w.run()
	w.isWell(3)
	return w, members
}

// TestSteadyMembersAreAskedOnceAMinute reconciles a control plane often, as events without a meaning do.
func TestSteadyMembersAreAskedOnceAMinute(t *testing.T) {
	w, members := newSteady(t)
	members.count = 0
	for range 60 {
		w.clock.Advance(5 * time.Second)
		if after := w.reconcile(); after <= 0 {
			t.Fatalf("the delay is %s", after)
		}
	}
	if members.count < 4 || members.count > 6 {
		t.Errorf("the members were asked %d times in five minutes", members.count)
	}
}

// TestChangesAskMembers changes something that is not the members.
func TestChangesAskMembers(t *testing.T) {
	for name, change := range map[string]func(*world){
		"a health check marks a machine": func(w *world) { w.mark(w.names()[0]) },
		"the template changes":           func(w *world) { w.roll("two") },
		"the components of a machine are unhealthy": func(w *world) {
			w.plane.Stop(w.names()[0])
			w.plane.ChangeMachine(w.names()[0], func(m *controlplane.Machine) { m.Failure = "kubelet stopped" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, members := newSteady(t)
			w.reconcile()
			members.count = 0
			change(w)
			w.reconcile()
			if members.count == 0 {
				t.Errorf("the members were not asked\n%s", describe(w.status()))
			}
		})
	}
}

// TestOperationsNeedMembersThatRespondNow starts a rollout at a time at which a member has stopped without any other
// sign. A machine cannot join then.
func TestOperationsNeedMembersThatRespondNow(t *testing.T) {
	w, members := newSteady(t)
	start := w.clock.Now().Add(30 * time.Second)
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.RolloutAfter = start })
	w.reconcile()
	members.silent = true
	w.clock.Advance(10 * time.Second)
	members.count = 0
	w.reconcile()
	if s := w.status(); members.count > 0 || s.Reason.Code != controlplane.CodeUpToDate {
		t.Fatalf("the members were asked %d times: %s", members.count, describe(s))
	}
	w.clock.Advance(25 * time.Second)
	w.reconcile()
	if n := len(w.names()); members.count == 0 || n != 3 {
		t.Errorf("there are %d machines, and the members were asked %d times: %s", n, members.count, describe(w.status()))
	}
}
