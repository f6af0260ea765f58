package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Reconciler reconciles control planes. Only one call for a control plane runs at a time.
type Reconciler struct {
	Objects      ports.ControlPlaneObjects
	Machines     ports.ControlPlaneMachines
	Certificates ports.Certificates
	TalosSecrets ports.TalosSecrets
	Kubeconfigs  ports.Kubeconfigs
	// Kubeadm and Talos reach the clusters of each control plane type.
	Kubeadm, Talos Cluster
	Clock          ports.Clock

	history history
}

// Cluster reaches the workload clusters of a control plane type.
type Cluster struct {
	Members  ports.EtcdMembers
	Workload ports.WorkloadCluster
	// Starter is nil if the first machine starts the cluster itself.
	Starter ports.ClusterStarter
}

// of returns how to reach the clusters of the type.
func (s *Reconciler) of(t node.ControlPlaneType) Cluster {
	if t == node.ControlPlaneTalos {
		return s.Talos
	}
	return s.Kubeadm
}

// round is one reconciliation of a control plane.
type round struct {
	*Reconciler
	// plane is the control plane as it was read, with the observation of the workload cluster and its members.
	plane     ports.ControlPlane
	cluster   Cluster
	operation controlplane.Operation
	reason    controlplane.Reason
	// failure is why the operation failed, or nil.
	failure error
	// problems are the failures of the tasks beside the plan.
	problems map[string]string
	// unseen means that the workload cluster or its members were asked, and did not answer.
	unseen bool
	// validUntil is when the members must be asked again if they are those of an earlier observation, or the zero time.
	validUntil time.Time
	// initialized means that the control plane was known to be initialized before this round.
	initialized bool
}

// Reconcile carries out the next operation of a control plane, and writes its status. It returns the delay of the next
// reconciliation if no object changes before, or 0 if none is needed.
//
// While nothing is to be done and nothing changes, members are asked once a minute, and at most once a second while an
// operation is awaited. They are always asked before an operation.
//
// A workload cluster or an etcd member that does not answer is an observation. The failure of an operation or of a task
// beside the plan is in the status. The error is that of reading or writing the objects of the control plane.
func (s *Reconciler) Reconcile(ctx context.Context, key ports.Key) (time.Duration, error) {
	c, err := s.Objects.Read(ctx, key)
	if errors.Is(err, ports.ErrNoControlPlane) {
		s.history.forget(key)
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the control plane: %w", err)
	}
	r := &round{
		Reconciler: s, plane: c, cluster: s.of(c.Desired.Type), problems: map[string]string{},
		initialized: c.Observed.Initialized,
	}
	r.hold()
	if r.active() {
		r.observe(ctx)
		r.propagate(ctx)
	}
	// After a cancellation, the observation is incomplete and must not lead to a decision.
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	r.decide()
	r.confirm(ctx)
	r.operate(ctx)
	if r.active() {
		r.record(ctx)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return r.end(ctx)
}

// active reports whether more than the deletion of machines is to be done for the control plane.
func (r *round) active() bool { return !r.plane.Desired.Paused && !r.plane.Desired.Deleting }

// hold prevents the creation of machines while the specification contains an error.
func (r *round) hold() {
	if r.plane.Desired.Held != "" {
		return
	}
	for _, f := range r.plane.Findings {
		if f.Severity == report.Error {
			r.plane.Desired.Held = clean(f.String())
			return
		}
	}
}

// decide returns the next operation.
func (r *round) decide() {
	r.operation, r.reason = controlplane.Plan(r.plane.Desired, r.plane.Observed, r.Clock.Now())
}

// recalled reports whether the members are those of an earlier observation.
func (r *round) recalled() bool { return !r.validUntil.IsZero() }

// confirm decides again if an operation was decided with recalled members: it needs members that respond now.
func (r *round) confirm(ctx context.Context) {
	if !r.recalled() || r.operation.Kind == controlplane.KindWait {
		return
	}
	r.validUntil = time.Time{}
	r.observeMembers(ctx)
	r.decide()
}

// end writes the status, and returns the delay of the next reconciliation.
func (r *round) end(ctx context.Context) (time.Duration, error) {
	repeats := r.history.repeat(r.plane.Key, r.operation)
	delay := r.delay(repeats)
	r.history.remember(r)
	if r.operation.Kind == controlplane.KindFinish && r.failure == nil {
		return delay, nil
	}
	status := ports.ControlPlaneStatus{
		Observed: r.plane.Observed, Operation: r.operation, Reason: r.reason, Problems: r.problems, Again: repeats > 0,
	}
	waits := r.operation.Kind == controlplane.KindWait
	status.Interim = r.history.defers(r.plane.Key, r.interim(repeats), waits, r.Clock.Now())
	if status.Interim && waits && (delay == 0 || delay > r.untilWritten()) {
		delay = r.untilWritten()
	}
	// A conflict is not reported: the next reconciliation decides with the current objects.
	if r.failure != nil && !errors.Is(r.failure, ports.ErrConflict) {
		status.Failure = clean(r.failure.Error())
	}
	err := r.Objects.SetStatus(ctx, r.plane, status)
	switch {
	case errors.Is(err, ports.ErrConflict):
		return afterChange, nil
	case errors.Is(err, ports.ErrNoControlPlane):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("write the status of the control plane: %w", err)
	}
	return delay, nil
}

// interim reports whether another round follows soon, and reads nothing that only the status of this one contains:
// after an operation at once, and while one is awaited once a second.
func (r *round) interim(repeats int) bool {
	if r.failure != nil || len(r.problems) > 0 || r.unseen || r.initialized != r.plane.Observed.Initialized {
		return false
	}
	if r.operation.Kind == controlplane.KindWait {
		return r.reason.Code != controlplane.CodeUpToDate && r.untilWritten() > 0
	}
	return repeats == 0
}

// untilWritten returns how long the status of a wait is not written. The clock of a machine can be set back.
func (r *round) untilWritten() time.Duration {
	return min(waitPeriod, r.history.writesAgain(r.plane.Key).Sub(r.Clock.Now()))
}
