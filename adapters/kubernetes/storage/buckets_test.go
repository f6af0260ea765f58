package storage_test

import (
	"context"
	"testing"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// TestStorageDeletedMeanwhileIsNoFailure deletes a storage between the read and the update of its status.
func TestStorageDeletedMeanwhileIsNoFailure(t *testing.T) {
	w := newWorld(t)
	under, ok := w.Client.(client.WithWatch)
	if !ok {
		t.Fatal("the client cannot be stood before")
	}
	w.buckets.Client = interceptor.NewClient(under, interceptor.Funcs{SubResourcePatch: func(
		ctx context.Context, c client.Client, resource string, o client.Object, patch client.Patch,
		opts ...client.SubResourcePatchOption,
	) error {
		gone := &v1alpha1.S3BootstrapStorage{}
		if err := c.Get(ctx, client.ObjectKeyFromObject(o), gone); err != nil {
			return err
		}
		gone.Finalizers = nil
		if err := c.Update(ctx, gone); err != nil {
			return err
		}
		if err := c.Delete(ctx, gone); err != nil {
			return err
		}
		return c.SubResource(resource).Patch(ctx, o, patch, opts...)
	}})
	if _, err := w.buckets.Reconcile(t.Context(), ctrl.Request{NamespacedName: requestKey("bucket")}); err != nil {
		t.Error(err)
	}
}
