package main

import (
	"context"
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/app/bootstrap"
)

// defaultNamespace is the controller's namespace if the environment does not contain it.
const defaultNamespace = "machineadm-system"

// newEndpointStorage returns the storage that the endpoint serves, or nil if machines reach no endpoint.
func newEndpointStorage(ctx context.Context, mgr ctrl.Manager, o *endpointOptions, known func() (bootstrap.Endpoint,
	error),
) (*storage.EndpointStorage, error) {
	if o.url == "" {
		return nil, nil
	}
	namespace := os.Getenv("POD_NAMESPACE")
	if namespace == "" {
		namespace = defaultNamespace
	}
	signer, err := storage.EndpointSigner(ctx, mgr.GetAPIReader(), mgr.GetClient(), namespace)
	if err != nil {
		return nil, err
	}
	return storage.NewEndpointStorage(mgr.GetClient(), signer, clock{}, func() (string, string, error) {
		e, err := known()
		return e.URL, e.Authorities, err
	}), nil
}

// setupEndpointStorage serves requests for the storage of the endpoint, which may be nil.
func setupEndpointStorage(mgr ctrl.Manager, s *storage.EndpointStorage, watchFilter string) error {
	r := storage.NewEndpointReconciler(mgr.GetClient(), mgr.GetCache(), s, clock{})
	r.WatchFilter = watchFilter
	return r.SetupWithManager(mgr, kcontroller.Options{MaxConcurrentReconciles: storageConcurrency})
}
