package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	bootstrapv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/ports"
)

// controllerName is the name of the controller in logs and metrics.
const controllerName = "machineadmcontrolplane"

// probeFailures is how long a workload cluster does not answer before its control plane is reconciled.
const probeFailures = 20 * time.Second

// Planes reconciles control planes. app/controlplane implements it.
type Planes interface {
	// Reconcile returns the delay of the next reconciliation, or 0 if only a change requires it.
	Reconcile(ctx context.Context, key ports.Key) (time.Duration, error)
}

// Reconciler is the controller of MachineadmControlPlanes.
type Reconciler struct {
	Client client.Client
	Planes Planes
	// Clusters are the connections to workload clusters. Without them, nothing in workload clusters is watched.
	Clusters clustercache.ClusterCache
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter; empty accepts all objects.
	WatchFilter string

	built controller.Controller
}

// Reconcile carries out the next operation of a control plane.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := &v1alpha1.MachineadmControlPlane{}
	err := r.Client.Get(ctx, req.NamespacedName, o)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, fmt.Errorf("get %s %s: %w", v1alpha1.Kind, req, err)
	}
	if err == nil && !kube.HasWatchFilter(o, r.WatchFilter) {
		return ctrl.Result{}, nil
	}
	if cluster := o.Labels[clusterv1.ClusterNameLabel]; err == nil && cluster != "" {
		if err := r.watchWorkload(ctx, client.ObjectKey{Namespace: o.Namespace, Name: cluster}); err != nil {
			ctrl.LoggerFrom(ctx).Error(err, "Cannot watch the workload cluster")
		}
	}
	after, err := r.Planes.Reconcile(ctx, ports.Key(req.NamespacedName))
	if errors.Is(err, ports.ErrConflict) {
		// The cache does not contain the last change of another client yet.
		return ctrl.Result{RequeueAfter: cachePeriod}, nil
	}
	return ctrl.Result{RequeueAfter: after}, err
}

// SetupWithManager adds the controller to the manager.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, o controller.Options) error {
	filter := predicates.ResourceHasFilterLabel(mgr.GetScheme(), ctrl.LoggerFrom(ctx), r.WatchFilter)
	b := ctrl.NewControllerManagedBy(mgr).Named(controllerName).WithOptions(o).
		For(&v1alpha1.MachineadmControlPlane{}, builder.WithPredicates(filter, kube.ExceptStatus())).
		Watches(&clusterv1.Machine{}, requests(r.onMachine), builder.WithPredicates(machineChanges())).
		Watches(&bootstrapv1.MachineBootstrapConfig{}, requests(r.onMachine),
			builder.WithPredicates(bootstrapEnds())).
		Watches(&clusterv1.Cluster{}, requests(onCluster), builder.WithPredicates(clusterChanges()))
	if r.Clusters != nil {
		b = b.WatchesRawSource(r.Clusters.GetClusterSource(controllerName, onCluster,
			clustercache.WatchForProbeFailure(probeFailures)))
	}
	built, err := b.Build(r)
	if err != nil {
		return fmt.Errorf("set up the controller of control planes: %w", err)
	}
	r.built = built
	return nil
}

// onCluster returns the control plane of a Cluster.
func onCluster(_ context.Context, o client.Object) []ctrl.Request {
	c, ok := o.(*clusterv1.Cluster)
	if !ok || c.Spec.ControlPlaneRef.APIGroup != v1alpha1.Group || c.Spec.ControlPlaneRef.Kind != v1alpha1.Kind {
		return nil
	}
	key := client.ObjectKey{Namespace: c.Namespace, Name: c.Spec.ControlPlaneRef.Name}
	return []ctrl.Request{{NamespacedName: key}}
}

// onMachine returns the control plane of the cluster of an object. Workers matter while it is being deleted.
func (r *Reconciler) onMachine(ctx context.Context, o client.Object) []ctrl.Request {
	cluster, labels := &clusterv1.Cluster{}, o.GetLabels()
	key := client.ObjectKey{Namespace: o.GetNamespace(), Name: labels[clusterv1.ClusterNameLabel]}
	if key.Name == "" || r.Client.Get(ctx, key, cluster) != nil {
		return nil
	}
	if _, controlPlane := labels[clusterv1.MachineControlPlaneLabel]; !controlPlane && cluster.DeletionTimestamp.IsZero() {
		return nil
	}
	return onCluster(ctx, cluster)
}
