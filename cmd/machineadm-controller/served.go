package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	kcontroller "sigs.k8s.io/controller-runtime/pkg/controller"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/storage"
	"github.com/machineadm/machineadm/app/bootstrap"
	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// The Secret of the key by which addresses are signed. All replicas use it.
const (
	keySecret        = "machineadm-endpoint-key"
	keyKey           = "key"
	defaultNamespace = "machineadm-system"
)

// newServedStorage returns the storage that the endpoint serves; nil if machines reach no endpoint.
func newServedStorage(ctx context.Context, mgr ctrl.Manager, o *endpointOptions, known func() (bootstrap.Endpoint,
	error),
) (*storage.EndpointStorage, error) {
	if o.url == "" {
		return nil, nil
	}
	namespace := os.Getenv("POD_NAMESPACE")
	if namespace == "" {
		namespace = defaultNamespace
	}
	key, err := signingKey(ctx, mgr.GetAPIReader(), mgr.GetClient(), client.ObjectKey{
		Namespace: namespace,
		Name:      keySecret,
	})
	if err != nil {
		return nil, err
	}
	signer, ok := credential.NewSigner(key)
	if !ok {
		return nil, fmt.Errorf("the key %s of Secret %s/%s has less than %d bytes", keyKey, namespace, keySecret,
			credential.KeySize)
	}
	return storage.NewEndpointStorage(mgr.GetClient(), signer, clock{}, func() (string, string, error) {
		e, err := known()
		return e.URL, e.Authorities, err
	}), nil
}

// signingKey returns the key, and makes it if there is none.
func signingKey(ctx context.Context, reader client.Reader, writer client.Writer,
	at client.ObjectKey,
) (secret.Value, error) {
	s := &corev1.Secret{}
	err := reader.Get(ctx, at, s)
	if apierrors.IsNotFound(err) {
		random := make([]byte, credential.KeySize)
		if _, err := rand.Read(random); err != nil {
			return secret.Value{}, fmt.Errorf("make the endpoint's key: %w", err)
		}
		s = &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: at.Namespace, Name: at.Name},
			Data:       map[string][]byte{keyKey: random},
		}
		if err = writer.Create(ctx, s); apierrors.IsAlreadyExists(err) {
			err = reader.Get(ctx, at, s)
		}
	}
	if err != nil {
		return secret.Value{}, fmt.Errorf("read the endpoint's key: %w", err)
	}
	return secret.New(s.Data[keyKey]), nil
}

// servedStorages opens storages that the endpoint serves.
type servedStorages struct {
	client client.Client
	// storage is nil if there is no endpoint.
	storage     *storage.EndpointStorage
	watchFilter string
}

// open returns the storage of the name; without an endpoint it says what is missing.
func (o servedStorages) open(ctx context.Context, key client.ObjectKey) (storage.OpenStorage, error) {
	s := &v1alpha1.EndpointBootstrapStorage{}
	err := o.client.Get(ctx, key, s)
	if apierrors.IsNotFound(err) {
		return storage.OpenStorage{}, storage.ErrNoStorage
	}
	if err != nil {
		return storage.OpenStorage{}, fmt.Errorf("get the storage: %w", err)
	}
	if o.storage == nil {
		return storage.OpenStorage{}, &ports.StorageError{Message: "the controller has no endpoint for machines; " +
			"start it with " +
			"--machine-endpoint-url"}
	}
	opened := storage.OpenStorage{
		Storage: o.storage, Lifetime: storage.DefaultFirstBootDeadline,
		Signer: o.signer(ctx, key),
	}
	if s.Spec.FirstBootDeadline != nil {
		opened.Lifetime = s.Spec.FirstBootDeadline.Duration
	}
	return opened, nil
}

// signer returns what signs addresses, which is the same for all storages.
func (o servedStorages) signer(context.Context, client.ObjectKey) string {
	if o.storage == nil {
		return ""
	}
	return o.storage.Signer()
}

// reopen returns a storage that deletes, which needs neither the endpoint nor a resource: objects are Secrets.
func (o servedStorages) reopen(context.Context, client.ObjectKey, string) (storage.OpenStorage, error) {
	return storage.OpenStorage{Storage: storage.NewEndpointStorage(o.client, credential.Signer{}, clock{}, nil)}, nil
}

// deposits serves the deposits of these storages.
func (o servedStorages) deposits(metadata client.Reader) *storage.Reconciler {
	return &storage.Reconciler{
		Client: o.client, Metadata: metadata, Group: v1alpha1.Group, Kind: v1alpha1.EndpointStorageKind,
		Storage: &v1alpha1.EndpointBootstrapStorage{}, Open: o.open, Reopen: o.reopen, Signer: o.signer, Clock: clock{},
		WatchFilter: o.watchFilter,
	}
}

// setupServed has deposits taken by the storage that the endpoint serves; without one they say what is missing, and go
// when they shall.
func setupServed(mgr ctrl.Manager, storage *storage.EndpointStorage, watchFilter string) error {
	deposits := servedStorages{
		client: mgr.GetClient(), storage: storage,
		watchFilter: watchFilter,
	}.deposits(mgr.GetCache())
	return deposits.SetupWithManager(mgr, kcontroller.Options{MaxConcurrentReconciles: storageConcurrency})
}
