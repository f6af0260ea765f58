package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/cluster-api/util/contract"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// crd is the kind of custom resource definitions. Only their metadata is read.
func crd() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
}

// errUnusableKind means that the definition of a kind does not exist, or that it follows no contract that is supported.
var errUnusableKind = errors.New("the kind cannot be used")

// apiVersion returns the newest version of a kind that follows the newest contract, by the labels of its definition.
func apiVersion(ctx context.Context, reader client.Reader, kind schema.GroupKind) (schema.GroupVersion, error) {
	definition := &metav1.PartialObjectMetadata{}
	definition.SetGroupVersionKind(crd())
	name := contract.CalculateCRDName(kind.Group, kind.Kind)
	err := reader.Get(ctx, client.ObjectKey{Name: name}, definition)
	if apierrors.IsNotFound(err) {
		return schema.GroupVersion{}, fmt.Errorf("%w: the definition %s does not exist; install its provider",
			errUnusableKind, name)
	}
	if err != nil {
		return schema.GroupVersion{}, fmt.Errorf("get the definition of %s: %w", kind, err)
	}
	for _, label := range []string{"cluster.x-k8s.io/v1beta2", "cluster.x-k8s.io/v1beta1"} {
		versions := strings.Split(definition.Labels[label], "_")
		slices.SortFunc(versions, version.CompareKubeAwareVersionStrings)
		if newest := versions[len(versions)-1]; newest != "" {
			return schema.GroupVersion{Group: kind.Group, Version: newest}, nil
		}
	}
	return schema.GroupVersion{}, fmt.Errorf("%w: the definition %s has no label of a contract that is supported; "+
		"install another version of its provider", errUnusableKind, name)
}
