package controller

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/ports"
)

const cleanupName = "machinebootstrapdata"

// Cleanup removes the finalizer of data Secrets. If the config is deleted, it revokes the token and releases the lock
// first. If the config still exists, a user has deleted the Secret; the data is created again with the same token.
type Cleanup struct {
	// Client reads configs and clusters from the cache, and writes.
	Client client.Client
	// Live reads from the API whether a config that the cache lacks exists.
	Live client.Reader
	// Metadata serves the metadata of Secrets from the cache.
	Metadata client.Reader
	Lookup   *capi.Lookup
	Service  *bootstrap.Service
}

// SetupWithManager registers the watches: Secrets that are being deleted, and clusters that are unpaused.
func (r *Cleanup) SetupWithManager(mgr ctrl.Manager, o controller.Options) error {
	err := ctrl.NewControllerManagedBy(mgr).Named(cleanupName).WithOptions(o).
		WatchesMetadata(&corev1.Secret{}, &handler.EnqueueRequestForObject{},
			builder.WithPredicates(predicate.NewPredicateFuncs(needsCleanup))).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(r.deletedSecrets)).
		Complete(r)
	if err != nil {
		return fmt.Errorf("set up the cleanup controller: %w", err)
	}
	return nil
}

// needsCleanup reports whether a Secret with data is being deleted.
func needsCleanup(o client.Object) bool {
	return !o.GetDeletionTimestamp().IsZero() && controllerutil.ContainsFinalizer(o, capi.DataFinalizer)
}

// deletedSecrets returns the Secrets of a cluster that need a cleanup.
func (r *Cleanup) deletedSecrets(ctx context.Context, cluster client.Object) []ctrl.Request {
	return kube.Requests(ctx, r.Metadata, kube.SecretMetadata(), needsCleanup, client.InNamespace(cluster.GetNamespace()),
		client.MatchingLabels{clusterv1.ClusterNameLabel: cluster.GetName()})
}

// Reconcile cleans up for one Secret and removes its finalizer.
func (r *Cleanup) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	meta := kube.Metadata("Secret")
	err := r.Metadata.Get(ctx, req.NamespacedName, meta)
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, nil
	}
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("get the Secret: %w", err)
	}
	data, ours := capi.ReadDataSecret(meta)
	if !ours || meta.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	wait, err := r.retire(ctx, data)
	if wait || err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.release(ctx, meta)
}

// retire revokes the token and releases the lock of the data. It waits while the cluster is paused, since a move must
// not delete anything in the workload cluster.
func (r *Cleanup) retire(ctx context.Context, d ports.DataSecret) (wait bool, err error) {
	cluster, err := r.Lookup.Cluster(ctx, ports.Key{Namespace: d.Namespace, Name: d.Cluster})
	if errors.Is(err, ports.ErrNoCluster) || err == nil && cluster.Deleting {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if d.Owner.UID == "" {
		// A backup has lost the owner. The token expires, and the lock is free when its machine is gone.
		return false, nil
	}
	lives, err := r.ownerExists(ctx, d.Owner)
	if lives || err != nil {
		return false, err
	}
	if cluster.Paused {
		return true, nil
	}
	return false, r.Service.Retire(ctx, cluster.Key, d)
}

func (r *Cleanup) ownerExists(ctx context.Context, owner ports.Owner) (bool, error) {
	config := &v1alpha1.MachineBootstrapConfig{}
	gone, err := capi.IsGone(ctx, r.Client, r.Live, client.ObjectKey(owner.Key), config)
	if err != nil {
		return false, fmt.Errorf("get the config: %w", err)
	}
	if gone {
		return false, nil
	}
	return string(config.UID) == owner.UID && config.DeletionTimestamp.IsZero(), nil
}

func (r *Cleanup) release(ctx context.Context, meta *metav1.PartialObjectMetadata) error {
	freed := meta.DeepCopy()
	err := kube.Patch(ctx, r.Client, freed, func() { controllerutil.RemoveFinalizer(freed, capi.DataFinalizer) })
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("remove the finalizer of Secret %s: %w", meta.Name, err)
	}
	return nil
}
