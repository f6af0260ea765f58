package storage

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/machineadm/machineadm/adapters/internal/limiter"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/storagecontract"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

// SetupWithManager registers the watches: requests for the kind, storages, and clusters that are unpaused.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager, o controller.Options) error {
	if r.PerNamespace > 0 {
		r.slots = limiter.New[string](o.MaxConcurrentReconciles, r.PerNamespace)
	}
	o.RateLimiter = workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](firstRetry, lastRetry)
	ours := predicate.And[client.Object](predicate.NewPredicateFuncs(func(o client.Object) bool {
		return o.GetLabels()[storagecontract.KindLabel] == r.Kind && kube.HasWatchFilter(o, r.WatchFilter)
	}), ignoreProblemUpdates())
	b := ctrl.NewControllerManagedBy(mgr).Named(strings.ToLower(r.Kind)+"requests").WithOptions(o).
		WatchesMetadata(&corev1.Secret{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(ours)).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object,
		) []ctrl.Request {
			return r.waiting(ctx, o.GetNamespace(), func(m *metav1.PartialObjectMetadata) bool {
				return m.Labels[clusterv1.ClusterNameLabel] == o.GetName()
			})
		}))
	if r.Storage != nil {
		b = b.Watches(r.Storage, handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object,
		) []ctrl.Request {
			return r.waiting(ctx, o.GetNamespace(), func(m *metav1.PartialObjectMetadata) bool {
				return r.storedBy(m, o.GetName())
			})
		}))
	}
	if err := b.Complete(r); err != nil {
		return fmt.Errorf("set up the controller of storage requests: %w", err)
	}
	return nil
}

// ignoreProblemUpdates ignores updates that only change the reported problem. This controller made them, and it retries
// with a backoff.
func ignoreProblemUpdates() predicate.Funcs {
	others := func(o client.Object) client.Object {
		rest, ok := o.DeepCopyObject().(client.Object)
		if !ok {
			return o
		}
		rest.SetResourceVersion("")
		rest.SetManagedFields(nil)
		annotations := rest.GetAnnotations()
		delete(annotations, storagecontract.ProblemAnnotation)
		rest.SetAnnotations(annotations)
		return rest
	}
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion() ||
			!equality.Semantic.DeepEqual(others(e.ObjectOld), others(e.ObjectNew))
	}}
}

func (r *Reconciler) storedBy(o metav1.Object, name string) bool {
	request, err := storagecontract.RequestOf(o)
	return err == nil && request.Storage == storagecontract.Storage{Group: r.Group, Kind: r.Kind, Name: name}
}

// waiting returns the requests that are not served completely.
func (r *Reconciler) waiting(ctx context.Context, namespace string, wanted func(*metav1.PartialObjectMetadata) bool,
) []ctrl.Request {
	held, err := listRequests(ctx, r.Metadata, namespace, r.Kind)
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list storage requests")
		return nil
	}
	var requests []ctrl.Request
	for i := range held {
		if m := &held[i]; kube.HasWatchFilter(m, r.WatchFilter) && wanted(m) && !r.isComplete(ctx, m) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(m)})
		}
	}
	return requests
}

// listRequests returns the metadata of all requests for a kind in a namespace.
func listRequests(ctx context.Context, reader client.Reader, namespace, kind string,
) ([]metav1.PartialObjectMetadata, error) {
	secrets := kube.SecretMetadata()
	err := reader.List(ctx, secrets, client.InNamespace(namespace), client.MatchingLabels{storagecontract.KindLabel: kind})
	return secrets.Items, err
}
