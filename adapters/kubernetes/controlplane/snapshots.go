package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// conditionSnapshotStored reports the last snapshot of etcd. Its reasons are the other names.
const (
	conditionSnapshotStored = "EtcdSnapshotStored"
	reasonStored            = "Stored"
	reasonWaiting           = "WaitingForSnapshot"
	reasonFailed            = "SnapshotFailed"
	reasonOverdue           = "SnapshotOverdue"
)

const (
	// snapshotConcurrency is the number of snapshots that are taken at once, and snapshotsPerNamespace that of one
	// namespace, whose storage may be slow. Each needs a buffer of 8 MiB.
	snapshotConcurrency, snapshotsPerNamespace = 8, 2
	// slotRetry is how long a control plane waits while its namespace has no slot.
	slotRetry = 10 * time.Second
)

var _ ports.SnapshotObjects = (*Store)(nil)

// SetSnapshots writes the status of the snapshots. The conditions follow with the next observation of the control
// plane: only one controller writes them.
func (s *Store) SetSnapshots(ctx context.Context, c ports.ControlPlane, status *ports.SnapshotStatus) error {
	o, err := s.get(ctx, c.Key)
	if err != nil {
		return err
	}
	before := o.DeepCopy()
	o.Status.EtcdSnapshots = snapshotsStatus(o.Status.EtcdSnapshots, status)
	_, err = s.patchStatus(ctx, before, o)
	return err
}

// snapshotsStatus converts the status. If the storage could not be listed, what was known of the last snapshot remains.
func snapshotsStatus(before *v1alpha1.EtcdSnapshotsStatus, now *ports.SnapshotStatus) *v1alpha1.EtcdSnapshotsStatus {
	if now == nil {
		return nil
	}
	after := &v1alpha1.EtcdSnapshotsStatus{Last: now.Last, Failure: now.Failure, Time: metav1.NewTime(now.At)}
	if before != nil && now.Last == "" && now.Failure != "" {
		after.Last, after.Time = before.Last, before.Time
	}
	switch {
	case now.Bytes > 0:
		after.Bytes = ptr.To(now.Bytes)
	case before != nil && before.Last == after.Last:
		after.Bytes = before.Bytes
	}
	return after
}

// snapshotStored returns the condition, without a type if no snapshots are specified.
func snapshotStored(o *v1alpha1.MachineadmControlPlane, r state, now time.Time) metav1.Condition {
	if r.Snapshots == nil || r.Desired.ExternalEtcd || r.Desired.Type == node.ControlPlaneTalos {
		return metav1.Condition{}
	}
	c := metav1.Condition{Type: conditionSnapshotStored, Status: metav1.ConditionFalse}
	s := o.Status.EtcdSnapshots
	switch {
	case s == nil:
		c.Status, c.Reason = metav1.ConditionUnknown, reasonWaiting
	case s.Failure != "":
		c.Reason, c.Message = reasonFailed, s.Failure
	case now.Sub(s.Time.Time) > 2*r.Snapshots.Interval:
		c.Reason, c.Message = reasonOverdue, "the last snapshot is of "+s.Time.UTC().Format(time.RFC3339)
	default:
		c.Status, c.Reason = metav1.ConditionTrue, reasonStored
	}
	return c
}

// Snapshots takes the snapshots of control planes. app/snapshots implements it.
type Snapshots interface {
	// Reconcile returns the delay of the next reconciliation, or 0 if only a change requires it.
	Reconcile(ctx context.Context, key ports.Key) (time.Duration, error)
}

// SnapshotReconciler is the controller of the snapshots of MachineadmControlPlanes. A snapshot takes minutes, during
// which the machines are reconciled by another controller.
type SnapshotReconciler struct {
	Client    client.Client
	Snapshots Snapshots
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter; empty accepts all objects.
	WatchFilter string

	slots *limiter.Limiter[string]
}

// Reconcile takes a snapshot if one is due.
func (r *SnapshotReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := &v1alpha1.MachineadmControlPlane{}
	if err := r.Client.Get(ctx, req.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !kube.HasWatchFilter(o, r.WatchFilter) {
		return ctrl.Result{}, nil
	}
	// Without a specification, the status of an earlier one is removed.
	if o.Spec.EtcdSnapshots == nil && o.Status.EtcdSnapshots == nil {
		return ctrl.Result{}, nil
	}
	release := r.slots.TryAcquire(req.Namespace)
	if release == nil {
		return ctrl.Result{RequeueAfter: slotRetry}, nil
	}
	defer release()
	after, err := r.Snapshots.Reconcile(ctx, ports.Key(req.NamespacedName))
	if errors.Is(err, ports.ErrConflict) {
		return ctrl.Result{RequeueAfter: cachePeriod}, nil
	}
	return ctrl.Result{RequeueAfter: after}, err
}

// SetupWithManager adds the controller to the manager.
func (r *SnapshotReconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	r.slots = limiter.New[string](snapshotConcurrency, snapshotsPerNamespace)
	o.MaxConcurrentReconciles = snapshotConcurrency
	filter := predicates.ResourceHasFilterLabel(mgr.GetScheme(), ctrl.LoggerFrom(ctx), r.WatchFilter)
	err := ctrl.NewControllerManagedBy(mgr).Named(controllerName+"-snapshots").WithOptions(o).
		For(&v1alpha1.MachineadmControlPlane{}, builder.WithPredicates(filter, kube.ExceptStatus())).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(onCluster),
			builder.WithPredicates(clusterChanges())).
		Complete(r)
	if err != nil {
		return fmt.Errorf("set up the controller of snapshots: %w", err)
	}
	return nil
}
