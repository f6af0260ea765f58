package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
)

// Objects reads Secrets and ConfigMaps.
type Objects interface {
	Secret(ctx context.Context, key client.ObjectKey) (*corev1.Secret, error)
	ConfigMap(ctx context.Context, key client.ObjectKey) (*corev1.ConfigMap, error)
}

// NewResolver returns a function that creates resolvers. A resolver only reads objects of its namespace.
func NewResolver(objects Objects) func(namespace string) convert.Resolver {
	return func(namespace string) convert.Resolver { return resolver{objects: objects, namespace: namespace} }
}

type resolver struct {
	objects   Objects
	namespace string
}

// Resolve returns the value of a key.
func (r resolver) Resolve(ctx context.Context, ref convert.Reference) ([]byte, error) {
	key := client.ObjectKey{Namespace: r.namespace, Name: ref.Name}
	value, found, err := r.lookup(ctx, key, ref)
	switch {
	case apierrors.IsNotFound(err):
		return nil, convert.ErrNoObject
	case err == nil && !found:
		return nil, convert.ErrNotFound
	default:
		return value, err
	}
}

func (r resolver) lookup(ctx context.Context, key client.ObjectKey, ref convert.Reference) ([]byte, bool, error) {
	if ref.Kind == "Secret" {
		s, err := r.objects.Secret(ctx, key)
		if err != nil {
			return nil, false, err
		}
		value, found := s.Data[ref.Key]
		return value, found, nil
	}
	c, err := r.objects.ConfigMap(ctx, key)
	if err != nil {
		return nil, false, err
	}
	if text, found := c.Data[ref.Key]; found {
		return []byte(text), true, nil
	}
	value, found := c.BinaryData[ref.Key]
	return value, found, nil
}

// references returns the index keys of the objects (kind/name) and plugins that a config refers to.
func references(c *v1alpha1.MachineBootstrapConfig) []string {
	return append(convert.References(c), pluginsOf(c)...)
}
