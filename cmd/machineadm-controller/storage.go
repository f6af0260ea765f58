package main

import (
	"context"
	"log/slog"
	"slices"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/adapters/storage/s3"
	"github.com/machineadm/machineadm/ports"
)

// storageConcurrency is how many storage requests are stored at once, and namespaceConcurrency how many of one
// namespace, whose storage may not answer.
const storageConcurrency, namespaceConcurrency = 20, 10

// setupStorage serves storages in buckets.
func setupStorage(mgr ctrl.Manager, o *options) error {
	buckets := &storage.BucketReconciler{
		Client: mgr.GetClient(), Metadata: mgr.GetCache(), New: o.bucket, WatchFilter: o.watchFilter,
		Identity: listed(o.identityNamespaces),
	}
	if err := buckets.SetupWithManager(mgr, kcontroller.Options{}); err != nil {
		return err
	}
	requests := &storage.Reconciler{
		Client: mgr.GetClient(), Metadata: mgr.GetCache(), Group: v1alpha1.Group, Kind: v1alpha1.S3StorageKind,
		Open:   buckets.Open,
		Reopen: buckets.Reopen, Signer: buckets.Signer, Clock: clock{}, WatchFilter: o.watchFilter,
		Storage:      &v1alpha1.S3BootstrapStorage{},
		PerNamespace: namespaceConcurrency,
	}
	return requests.SetupWithManager(mgr, kcontroller.Options{MaxConcurrentReconciles: storageConcurrency})
}

// listed returns a function that reports whether a namespace is in a list, in which * matches all.
func listed(namespaces []string) func(string) bool {
	namespaces = without(namespaces, none)
	return func(namespace string) bool {
		return slices.Contains(namespaces, namespace) || slices.Contains(namespaces, "*")
	}
}

// bucket opens the bucket that a resource describes.
func (o *options) bucket(ctx context.Context, spec v1alpha1.S3BootstrapStorageSpec, keys storage.Keys,
) (ports.Storage, error) {
	return o.openBucket(ctx, spec, keys)
}

// snapshotFolder opens a folder of the bucket that a resource describes.
func (o *options) snapshotFolder(ctx context.Context, spec v1alpha1.S3BootstrapStorageSpec, keys storage.Keys,
	folder string,
) (ports.SnapshotStore, error) {
	b, err := o.openBucket(ctx, spec, keys)
	if err != nil {
		return nil, err
	}
	return b.Folder(folder), nil
}

func (o *options) openBucket(ctx context.Context, spec v1alpha1.S3BootstrapStorageSpec, keys storage.Keys,
) (*s3.Storage, error) {
	b := s3.Options{
		Bucket: spec.Bucket, Prefix: spec.Prefix, Region: spec.Region, Endpoint: spec.Endpoint, PathStyle: spec.PathStyle,
		CABundle: []byte(spec.CertificateAuthority), Clock: clock{}, Endpoints: o.egress,
		Log: slog.New(logr.ToSlogHandler(klog.Background().WithName("storage"))),
	}
	if n := len(b.Prefix); n > 0 && b.Prefix[n-1] != '/' {
		b.Prefix += "/"
	}
	if e := spec.Encryption; e != nil {
		b.Encryption, b.KMSKeyID = e.Algorithm, e.KMSKeyID
	}
	if keys.AccessKeyID != "" {
		b.Keys = &s3.Keys{
			AccessKeyID: keys.AccessKeyID, SecretAccessKey: keys.SecretAccessKey,
			SessionToken: keys.SessionToken,
		}
	}
	return s3.New(ctx, b)
}
