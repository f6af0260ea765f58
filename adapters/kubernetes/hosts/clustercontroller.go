package hosts

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/cluster-api/util/annotations"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// clusterReconciler is the controller of HostClusters. It manages no infrastructure, so that a HostCluster needs no
// finalizer.
type clusterReconciler struct {
	setup
	store
}

// Reconcile reports the control plane endpoint and the failure domains that the user specified.
func (r *clusterReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := &v1alpha1.HostCluster{}
	if handled, err := r.handles(ctx, req, o); err != nil || !handled || annotations.IsExternallyManaged(o) {
		return ctrl.Result{}, err
	}
	if !o.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	cluster, err := util.GetOwnerCluster(ctx, r.client, o.ObjectMeta)
	if err != nil || cluster == nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	paused := isPaused(cluster, o)
	key := ports.Key(req.NamespacedName)
	if e := o.Spec.ControlPlaneEndpoint; !paused && e.Host != "" && e.Port == 0 {
		// The core reads the port from here.
		err := r.change(ctx, key, o.ResourceVersion, o, func() { o.Spec.ControlPlaneEndpoint.Port = v1alpha1.DefaultAPIPort })
		if err != nil {
			return ctrl.Result{RequeueAfter: conflictRetry}, ignoreConflict(err)
		}
	}
	_, err = r.changeStatus(ctx, key, o, func() { writeClusterStatus(o, cluster, paused) })
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("patch the status of HostCluster %s: %w", key, err)
	}
	return ctrl.Result{}, nil
}

// writeClusterStatus sets the status for readers of both contract versions.
func writeClusterStatus(o *v1alpha1.HostCluster, cluster *clusterv1.Cluster, paused bool) {
	o.Status.ObservedGeneration = o.Generation
	setPaused(&o.Status.Conditions, o.Generation, paused)
	if paused {
		return
	}
	ready := metav1.Condition{
		Type: host.ConditionReady, Status: metav1.ConditionFalse, Reason: "WaitingForControlPlaneEndpoint",
		Message: "set spec.controlPlaneEndpoint of the HostCluster or of the Cluster",
	}
	if o.Spec.ControlPlaneEndpoint.Host != "" || cluster.Spec.ControlPlaneEndpoint.IsValid() {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionTrue, "Provisioned", ""
		o.Status.Initialization.Provisioned, o.Status.Ready = ptr.To(true), true
	}
	setCondition(&o.Status.Conditions, o.Generation, ready)
	o.Status.FailureDomains = nil
	for _, d := range o.Spec.FailureDomains {
		o.Status.FailureDomains = append(o.Status.FailureDomains, clusterv1.FailureDomain{
			Name: d.Name, ControlPlane: ptr.To(ptr.Deref(d.ControlPlane, true)),
		})
	}
}

func (r *clusterReconciler) setupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	gvk := v1alpha1.GroupVersion().WithKind(v1alpha1.ClusterKind)
	clusters := util.ClusterToInfrastructureMapFunc(ctx, gvk, mgr.GetClient(), &v1alpha1.HostCluster{})
	return ctrl.NewControllerManagedBy(mgr).Named("hostcluster").WithOptions(o).
		For(&v1alpha1.HostCluster{}, builder.WithPredicates(r.filter(ctx, mgr), kube.ExceptStatus())).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(clusters),
			builder.WithPredicates(clusterChanges())).
		Complete(r)
}

// ignoreConflict returns nil for errors of objects that changed or do not exist any more.
func ignoreConflict(err error) error {
	if errors.Is(err, ports.ErrConflict) || apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
