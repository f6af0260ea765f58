package storage

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/ports"
)

// endpointResources opens the storages that EndpointBootstrapStorages describe. They differ in the lifetime of URLs
// only.
type endpointResources struct {
	client client.Client
	clock  ports.Clock
	// storage is nil if the controller has no endpoint.
	storage *EndpointStorage
}

// NewEndpointReconciler returns the reconciler of requests for EndpointBootstrapStorages. The client reads Secrets from
// the API and storages from the cache; metadata serves the metadata of Secrets from the cache. The storage is nil if
// the controller has no endpoint: new requests are refused then, and stored objects can still be deleted.
func NewEndpointReconciler(c client.Client, metadata client.Reader, storage *EndpointStorage, clock ports.Clock,
) *Reconciler {
	resources := endpointResources{client: c, clock: clock, storage: storage}
	return &Reconciler{
		Client: c, Metadata: metadata, Group: v1alpha1.Group, Kind: v1alpha1.EndpointStorageKind,
		Storage: &v1alpha1.EndpointBootstrapStorage{}, Open: resources.open, Reopen: resources.reopen,
		Signer: resources.signer, Clock: clock,
	}
}

func (r endpointResources) open(ctx context.Context, key client.ObjectKey) (OpenStorage, error) {
	s := &v1alpha1.EndpointBootstrapStorage{}
	err := r.client.Get(ctx, key, s)
	if apierrors.IsNotFound(err) {
		return OpenStorage{}, ErrNoStorage
	}
	if err != nil {
		return OpenStorage{}, fmt.Errorf("get the storage: %w", err)
	}
	if r.storage == nil {
		return OpenStorage{}, errNoEndpoint()
	}
	return OpenStorage{
		Storage: r.storage, Lifetime: lifetime(s.Spec.FirstBootDeadlineSeconds), Signer: r.signer(ctx, key),
	}, nil
}

func errNoEndpoint() *ports.StorageError {
	return &ports.StorageError{
		Message: "the controller has no endpoint for machines; start it with --machine-endpoint-url",
	}
}

// signer returns the identifier of the signer, which is the same for all storages.
func (r endpointResources) signer(context.Context, client.ObjectKey) string {
	if r.storage == nil {
		return ""
	}
	return r.storage.Signer()
}

// reopen returns a storage that can only delete: objects are Secrets, so it needs neither the endpoint nor the
// resource.
func (r endpointResources) reopen(context.Context, client.ObjectKey, string) (OpenStorage, error) {
	return OpenStorage{Storage: NewEndpointStorage(r.client, credential.Signer{}, r.clock, nil)}, nil
}
