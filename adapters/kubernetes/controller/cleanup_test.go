package controller_test

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/capi"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
)

// namedOnly reads objects as a client of the API server does.
type namedOnly struct{ client.Reader }

func (r namedOnly) Get(ctx context.Context, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
	if key.Name == "" {
		return errors.New("resource name may not be empty")
	}
	return r.Reader.Get(ctx, key, o, options...)
}

// TestCleanupWithoutOwner checks that data which lost its owner in a backup can be deleted.
func TestCleanupWithoutOwner(t *testing.T) {
	w := newWorld(t, nil)
	data := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "restored", Finalizers: []string{capi.DataFinalizer},
		Labels:      map[string]string{clusterv1.ClusterNameLabel: "c1"},
		Annotations: map[string]string{capi.MachineAnnotation: "restored", capi.TokenAnnotation: "abcdef"},
	}}
	if err := errors.Join(w.client.Create(t.Context(), data), w.client.Delete(t.Context(), data)); err != nil {
		t.Fatal(err)
	}
	cleanup := &controller.Cleanup{
		Client: w.client, Live: namedOnly{w.client}, Metadata: w.client, Lookup: capi.NewLookup(w.client), Service: w.Service,
	}
	key := client.ObjectKeyFromObject(data)
	if _, err := cleanup.Reconcile(t.Context(), ctrl.Request{NamespacedName: key}); err != nil {
		t.Error(err)
	}
	if err := w.client.Get(t.Context(), key, data); !apierrors.IsNotFound(err) {
		t.Errorf("the Secret has the finalizers %v, error %v", data.Finalizers, err)
	}
}
