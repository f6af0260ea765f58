package kube

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// ExceptStatus ignores updates that change only the status of an object.
func ExceptStatus() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, now := e.ObjectOld, e.ObjectNew
		return was.GetGeneration() != now.GetGeneration() || !maps.Equal(was.GetLabels(), now.GetLabels()) ||
			!maps.Equal(was.GetAnnotations(), now.GetAnnotations()) ||
			!slices.Equal(was.GetFinalizers(), now.GetFinalizers()) ||
			!equality.Semantic.DeepEqual(was.GetOwnerReferences(), now.GetOwnerReferences()) ||
			was.GetDeletionTimestamp().IsZero() != now.GetDeletionTimestamp().IsZero()
	}}
}

// Requests lists objects from a cache, and returns a request for each that the function accepts. The function must not
// change the objects. They are not copied, because an event of a tenant may list thousands of them. An error is only
// logged. It occurs while the cache is not running, and then there is nothing to reconcile.
func Requests[T client.Object](ctx context.Context, cache client.Reader, list client.ObjectList, accepts func(T) bool,
	options ...client.ListOption,
) []ctrl.Request {
	if err := cache.List(ctx, list, append(slices.Clip(options), client.UnsafeDisableDeepCopy)...); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list the objects to reconcile")
		return nil
	}
	var requests []ctrl.Request
	_ = meta.EachListItem(list, func(item runtime.Object) error {
		if o, ok := item.(T); ok && accepts(o) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o)})
		}
		return nil
	})
	return requests
}

// All accepts every object.
func All(client.Object) bool { return true }
