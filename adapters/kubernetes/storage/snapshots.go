package storage

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/ports"
)

// Snapshots opens S3BootstrapStorages for snapshots of etcd. It implements ports.SnapshotStores.
type Snapshots struct {
	// Reader reads storages and Secrets from the API server.
	Reader client.Reader
	// New opens a folder of a bucket.
	New func(ctx context.Context, spec v1alpha1.S3BootstrapStorageSpec, keys Keys, folder string) (ports.SnapshotStore,
		error)
	// WatchFilter is the required value of the label cluster.x-k8s.io/watch-filter of storages; empty accepts all.
	WatchFilter string
	// Identity reports whether storages of a namespace may use the controller's own identity. Nil allows none.
	Identity func(namespace string) bool
}

var _ ports.SnapshotStores = (*Snapshots)(nil)

// Open returns the folder in the storage that the control plane names.
func (o *Snapshots) Open(ctx context.Context, c ports.ControlPlane, folder string) (ports.SnapshotStore, error) {
	ref := c.Snapshots.Storage
	if ref.Group != v1alpha1.Group || ref.Kind != v1alpha1.S3StorageKind {
		return nil, &ports.StorageError{Message: fmt.Sprintf("spec.etcdSnapshots.storageRef: snapshots are not stored in a "+
			"%s of %s; use the kind %s of %s", ref.Kind, ref.Group, v1alpha1.S3StorageKind, v1alpha1.Group)}
	}
	s := &v1alpha1.S3BootstrapStorage{}
	err := o.Reader.Get(ctx, client.ObjectKey{Namespace: c.Namespace, Name: ref.Name}, s)
	if apierrors.IsNotFound(err) || err == nil && !kube.HasWatchFilter(s, o.WatchFilter) {
		return nil, &ports.StorageError{Message: fmt.Sprintf("spec.etcdSnapshots.storageRef: there is no %s %s; create it",
			v1alpha1.S3StorageKind, ref.Name)}
	}
	if err != nil {
		return nil, fmt.Errorf("get the storage: %w", err)
	}
	keys, err := readKeys(ctx, o.Reader, o.Identity, s)
	if err != nil {
		return nil, err
	}
	store, err := o.New(ctx, s.Spec, keys, folder)
	if err != nil {
		return nil, &ports.StorageError{Message: err.Error()}
	}
	return store, nil
}
