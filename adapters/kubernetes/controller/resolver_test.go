package controller_test

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
)

// shelf has one Secret in the namespace theirs, and records the requested namespaces.
type shelf struct{ requested map[string]bool }

func (s shelf) Secret(_ context.Context, key client.ObjectKey) (*corev1.Secret, error) {
	s.requested[key.Namespace] = true
	if key == (client.ObjectKey{Namespace: "theirs", Name: "keys"}) {
		return &corev1.Secret{Data: map[string][]byte{"key": []byte("canary7q9zk2xw5v")}}, nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

func (s shelf) ConfigMap(_ context.Context, key client.ObjectKey) (*corev1.ConfigMap, error) {
	s.requested[key.Namespace] = true
	return nil, apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

// TestReferencesStayInTheirNamespace requests a Secret of another namespace by every name that could lead there.
func TestReferencesStayInTheirNamespace(t *testing.T) {
	s := shelf{map[string]bool{}}
	resolve := controller.NewResolver(s)
	for _, kind := range []string{"Secret", "ConfigMap"} {
		for _, name := range []string{"keys", "theirs/keys", "../theirs/keys", "theirs.keys"} {
			_, err := resolve("ours").Resolve(t.Context(), convert.Reference{Kind: kind, Name: name, Key: "key"})
			if !errors.Is(err, convert.ErrNotFound) || !errors.Is(err, convert.ErrNoObject) {
				t.Errorf("%s %s: %v", kind, name, err)
			}
		}
	}
	if len(s.requested) != 1 || !s.requested["ours"] {
		t.Errorf("asked in the namespaces %v", s.requested)
	}
	if got, err := resolve("theirs").Resolve(t.Context(), convert.Reference{
		Kind: "Secret", Name: "keys",
		Key: "key",
	}); err != nil || len(got) == 0 {
		t.Errorf("its own: %d bytes, %v", len(got), err)
	}
	_, err := resolve("theirs").Resolve(t.Context(), convert.Reference{Kind: "Secret", Name: "keys", Key: "other"})
	if !errors.Is(err, convert.ErrNotFound) || errors.Is(err, convert.ErrNoObject) {
		t.Errorf("another key of its own: %v", err)
	}
}
