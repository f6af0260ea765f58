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

// TestBootsAreObservedOnceASecond reconciles often while nothing but the boot of a machine is awaited. Members are
// asked and statuses are written at most once a second, and the last status does not wait for an event.
func TestBootsAreObservedOnceASecond(t *testing.T) {
	w, members := newSteady(t)
	recorded := &statuses{ControlPlaneObjects: w.reconciler.Objects}
	w.reconciler.Objects = recorded
	w.roll("two")
	for range 10 {
		w.reconcile()
	}
	if s := w.status(); s.Operation.Kind != controlplane.KindWait || len(w.names()) != 4 {
		t.Fatalf("no machine boots: %s", describe(s))
	}
	members.count, recorded.all = 0, nil
	written := 0
	for range 40 {
		w.clock.Advance(100 * time.Millisecond)
		before := members.count
		after := w.reconcile()
		last := recorded.all[len(recorded.all)-1]
		if (members.count == before || last.Interim) && after > time.Second {
			t.Fatalf("nothing is done for another %s", after)
		}
		if !last.Interim {
			written++
		}
	}
	if members.count < 3 || members.count > 5 || written < 3 || written > 5 {
		t.Errorf("in four seconds, members were asked %d times, and %d statuses were written", members.count, written)
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

// statuses records the statuses of a control plane.
type statuses struct {
	ports.ControlPlaneObjects
	all []ports.ControlPlaneStatus
}

func (s *statuses) SetStatus(ctx context.Context, c ports.ControlPlane, status ports.ControlPlaneStatus) error {
	s.all = append(s.all, status)
	return s.ControlPlaneObjects.SetStatus(ctx, c, status)
}

// TestInterimStatuses checks which statuses of a slow rollout need not be written: those of operations that succeeded,
// if they did not initialize the cluster.
func TestInterimStatuses(t *testing.T) {
	w := newWorld(t)
	recorded := &statuses{ControlPlaneObjects: w.reconciler.Objects}
	w.reconciler.Objects = recorded
	w.run()
	w.roll("two")
	w.run()
	interim, initialized := 0, false
	for _, s := range recorded.all {
		operation := s.Operation.Kind != controlplane.KindWait
		first := s.Observed.Initialized && !initialized
		initialized = initialized || s.Observed.Initialized
		if s.Interim && (!operation || first || s.Failure != "" || s.Again) {
			t.Errorf("interim: %s", describe(s))
		}
		if s.Interim {
			interim++
		}
	}
	if interim < 12 {
		t.Errorf("%d statuses are interim", interim)
	}
}

// TestOperationsWithoutEndAreReported alternates between two operations that seem to succeed, and change nothing.
func TestOperationsWithoutEndAreReported(t *testing.T) {
	w, _ := newSteady(t)
	recorded := &statuses{ControlPlaneObjects: w.reconciler.Objects}
	w.reconciler.Objects = recorded
	w.reconciler.Machines = nothing{w.reconciler.Machines}
	w.roll("two")
	for i := range 12 {
		w.plane.Change(func(c *ports.ControlPlane) { c.Desired.MaxSurge = i % 2 })
		w.reconcile()
	}
	written := 0
	for _, s := range recorded.all {
		if !s.Interim {
			written++
		}
	}
	if written == 0 {
		t.Errorf("none of %d statuses was written", len(recorded.all))
	}
}

// nothing creates and deletes nothing.
type nothing struct{ ports.ControlPlaneMachines }

func (nothing) Create(context.Context, ports.ControlPlane, controlplane.Operation) error { return nil }

func (nothing) Delete(context.Context, ports.ControlPlane, controlplane.Operation) error { return nil }
