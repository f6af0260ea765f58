package controller

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/app/bootstrap"
)

const (
	// referenceIndex finds unpublished configs by the objects (kind/name) that they refer to.
	referenceIndex = "bootstrap.machineadm.io/references"
	controllerName = "machinebootstrapconfig"
)

// SetupIndexes registers the indexes of control plane machines by cluster, and of configs by references.
func SetupIndexes(ctx context.Context, indexer client.FieldIndexer) error {
	err := indexer.IndexField(ctx, &clusterv1.Machine{}, capi.ControlPlaneIndex, capi.ControlPlaneOf)
	if err != nil {
		return fmt.Errorf("index control plane machines: %w", err)
	}
	if err := indexer.IndexField(ctx, &v1alpha1.MachineBootstrapConfig{}, referenceIndex, ReferencesOf); err != nil {
		return fmt.Errorf("index references: %w", err)
	}
	return nil
}

// ReferencesOf is the index function of referenceIndex. Published configs have no keys, since they need no more
// updates. The Secret with the name of the config is among the keys: as long as another object owns it, the data cannot
// be published.
func ReferencesOf(o client.Object) []string {
	c, ok := o.(*v1alpha1.MachineBootstrapConfig)
	if !ok || !unpublished(c) {
		return nil
	}
	return append(references(c), "Secret/"+c.Name)
}

// Retries returns the backoff of failed attempts. It allows several attempts within a token's lifetime.
func Retries() workqueue.TypedRateLimiter[ctrl.Request] {
	return workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](5*time.Millisecond,
		bootstrap.DefaultTokenTTL/9)
}

// SetupWithManager registers the watches. Each of them triggers the configs that depend on the object.
func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, clusters clustercache.ClusterCache,
	o controller.Options,
) error {
	if err := SetupIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	filter := predicates.ResourceHasFilterLabel(mgr.GetScheme(), ctrl.LoggerFrom(ctx), r.WatchFilter)
	o.RateLimiter = Retries()
	b := ctrl.NewControllerManagedBy(mgr).Named(controllerName).WithOptions(o).
		For(&v1alpha1.MachineBootstrapConfig{}, builder.WithPredicates(filter)).
		Watches(&clusterv1.Machine{}, r.onMachine()).
		Watches(&clusterv1.MachinePool{}, handler.EnqueueRequestsFromMapFunc(poolToConfig)).
		Watches(&clusterv1.Cluster{}, r.onCluster()).
		WatchesMetadata(&corev1.Secret{}, r.onSecret()).
		WatchesMetadata(&corev1.ConfigMap{}, r.onConfigMap())
	if clusters != nil {
		b = b.WatchesRawSource(clusters.GetClusterSource(controllerName, r.waitingIn))
	}
	built, err := b.Build(r)
	if err != nil {
		return fmt.Errorf("set up the controller: %w", err)
	}
	return r.setupPluginWatches(ctx, mgr, built)
}
