package storage_test

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// TestStoredObjectsUseStoragesOfTheirController verifies that each of several controllers in a cluster stores its own
// requests. A storage request has the watch filter's label, also if it was created before a filter was set.
func TestStoredObjectsUseStoragesOfTheirController(t *testing.T) {
	c := fake.NewClientBuilder().Build()
	store := storage.NewRequests(c, liveReader{c}, schema.GroupVersionKind{
		Group: "bootstrap.machineadm.io", Version: "v1alpha1",
		Kind: "MachineBootstrapConfig",
	})
	for _, filter := range []string{"", "a"} {
		store.WatchFilter = filter
		d := ports.StorageRequest{
			Key: ports.Key{Namespace: "default", Name: "m1-stored"}, Cluster: "c1",
			Owner:   ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "u1"},
			Storage: delivery.StorageRef{Group: "storage.example", Kind: "Shelf", Name: "top"}, InputDigest: filter,
			Data: func(context.Context) (secret.Value, error) { return secret.FromString(filter), nil },
		}
		s := &corev1.Secret{}
		if _, err := store.Ensure(t.Context(), d); !errors.Is(err, ports.ErrStoragePending) {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), client.ObjectKey(d.Key), s); err != nil {
			t.Fatal(err)
		}
		if got := s.Labels[clusterv1.WatchLabel]; got != filter {
			t.Errorf("the label is %q, want %q", got, filter)
		}
	}
}
