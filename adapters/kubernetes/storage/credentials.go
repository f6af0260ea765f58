package storage

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

// setupCredentials registers the watches: protected Secrets, and storages that may not need them any more.
func (r *BucketReconciler) setupCredentials(mgr ctrl.Manager, o controller.Options) error {
	ours := predicate.NewPredicateFuncs(mayBeCredentials)
	err := ctrl.NewControllerManagedBy(mgr).Named("s3bootstrapstoragecredentials").WithOptions(o).
		WatchesMetadata(&corev1.Secret{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(ours)).
		Watches(&v1alpha1.S3BootstrapStorage{}, handler.EnqueueRequestsFromMapFunc(r.held)).
		Complete(reconcile.Func(r.Free))
	if err != nil {
		return fmt.Errorf("set up the controller of credentials: %w", err)
	}
	return nil
}

// mayBeCredentials reports whether a Secret has the finalizer as the credentials of a storage. Requests have the same
// finalizer.
func mayBeCredentials(o client.Object) bool {
	_, request := o.GetLabels()[storagecontract.KindLabel]
	_, stored := o.GetAnnotations()[objectsAnnotation]
	return controllerutil.ContainsFinalizer(o, Finalizer) && !request && !stored
}

// isCredentials reports whether a Secret has the label of credentials.
func isCredentials(o client.Object) bool {
	return o.GetLabels()[v1alpha1.StorageCredentialsLabel] == "true"
}

// held returns the protected credentials in the namespace of a storage.
func (r *BucketReconciler) held(ctx context.Context, storage client.Object) []ctrl.Request {
	return kube.Requests(ctx, r.Metadata, kube.SecretMetadata(), mayBeCredentials,
		client.InNamespace(storage.GetNamespace()))
}

// Free removes the finalizer from credentials that no storage names any more, or that lost their label. A storage that
// is being deleted still needs its credentials.
func (r *BucketReconciler) Free(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	credentials := &corev1.Secret{}
	if err := r.Client.Get(ctx, req.NamespacedName, credentials); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	storages := &v1alpha1.S3BootstrapStorageList{}
	if err := r.Client.List(ctx, storages, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, fmt.Errorf("list storages: %w", err)
	}
	named := slices.ContainsFunc(storages.Items, func(s v1alpha1.S3BootstrapStorage) bool {
		return credentialsOf(&s) == req.Name
	})
	if named && isCredentials(credentials) || !mayBeCredentials(credentials) ||
		credentials.Type == storagecontract.SecretType {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, client.IgnoreNotFound(r.setFinalizer(ctx, credentials, false))
}
