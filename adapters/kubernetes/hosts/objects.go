package hosts

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// store changes objects of one kind. It reads them from the API server before each change.
type store struct {
	live   client.Reader
	client client.Client
}

// change patches an object if it has the version that was read; otherwise it returns ports.ErrConflict.
func (s store) change(ctx context.Context, key ports.Key, version string, o client.Object, change func()) error {
	err := s.live.Get(ctx, client.ObjectKey(key), o)
	if apierrors.IsNotFound(err) {
		return ports.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("get %s: %w", key, err)
	}
	if o.GetResourceVersion() != version {
		return ports.ErrConflict
	}
	before := clone(o)
	change()
	if equality.Semantic.DeepEqual(before, o) {
		return nil
	}
	err = s.client.Patch(ctx, o, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return ports.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("patch %s: %w", key, err)
	}
	return nil
}

// changeStatus patches the status of an object, if it exists and the status differs. It returns the object before the
// change, or nil if nothing changed.
func (s store) changeStatus(ctx context.Context, key ports.Key, o client.Object, change func()) (client.Object, error) {
	if err := s.live.Get(ctx, client.ObjectKey(key), o); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	before := clone(o)
	change()
	if equality.Semantic.DeepEqual(before, o) {
		return nil, nil
	}
	if err := s.client.Status().Patch(ctx, o, client.MergeFrom(before)); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return before, nil
}

// clone returns a deep copy of an object.
func clone(o client.Object) client.Object {
	copied, _ := o.DeepCopyObject().(client.Object)
	return copied
}

// setCondition sets a condition and the generation that it describes.
func setCondition(conditions *[]metav1.Condition, generation int64, c metav1.Condition) {
	c.ObservedGeneration = generation
	meta.SetStatusCondition(conditions, c)
}

// setPaused sets the condition Paused.
func setPaused(conditions *[]metav1.Condition, generation int64, paused bool) {
	c := metav1.Condition{Type: host.ConditionPaused, Status: metav1.ConditionFalse, Reason: clusterv1.NotPausedReason}
	if paused {
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, clusterv1.PausedReason, "the Cluster or the object is paused"
	}
	setCondition(conditions, generation, c)
}
