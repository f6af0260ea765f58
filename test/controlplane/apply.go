package controlplane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// fieldManager is under which name manifests are applied.
const fieldManager = "machineadm-test"

// kindTimeout is how long a new kind may take until it is served.
const kindTimeout = 10 * time.Minute

// Decode returns the objects of a stream of YAML or JSON documents.
func Decode(r io.Reader) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(r, 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		switch {
		case errors.Is(err, io.EOF):
			return objects, nil
		case err != nil:
			return nil, fmt.Errorf("decode manifests: %w", err)
		case len(object.Object) > 0:
			objects = append(objects, object)
		}
	}
}

// ReadManifests returns the objects of a file, or of all .yaml files of a folder but kustomizations.
func ReadManifests(path string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".yaml" || filepath.Base(file) == "kustomization.yaml" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found, err := Decode(bytes.NewReader(data))
		objects = append(objects, found...)
		return err
	})
	return objects, err
}

// Apply applies the objects on the server's side, in their order. It waits until kinds whose definitions are among them
// are served.
func (c *ControlPlane) Apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	for _, object := range objects {
		var last error
		err := wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, kindTimeout, true,
			func(ctx context.Context) (bool, error) {
				last = c.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(fieldManager),
					client.ForceOwnership)
				return !meta.IsNoMatchError(last) && !apierrors.IsNotFound(last), nil
			})
		if err = errors.Join(last, err); err != nil {
			return fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	for _, object := range objects {
		if object.GetKind() == "CustomResourceDefinition" {
			if err := c.awaitKind(ctx, object); err != nil {
				return err
			}
		}
	}
	return nil
}

// awaitKind waits until the kind of a CustomResourceDefinition is served in all of its versions.
func (c *ControlPlane) awaitKind(ctx context.Context, object *unstructured.Unstructured) error {
	definition := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, definition); err != nil {
		return fmt.Errorf("read CustomResourceDefinition %s: %w", object.GetName(), err)
	}
	for _, version := range definition.Spec.Versions {
		if !version.Served {
			continue
		}
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(schema.GroupVersionKind{
			Group: definition.Spec.Group, Version: version.Name, Kind: definition.Spec.Names.Kind + "List",
		})
		var last error
		err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, kindTimeout, true,
			func(ctx context.Context) (bool, error) {
				last = c.Client.List(ctx, list, client.Limit(1))
				return last == nil, nil
			})
		if err != nil {
			return fmt.Errorf("wait for %s: %w", object.GetName(), errors.Join(err, last))
		}
	}
	return nil
}

// InstallCRDs installs the CustomResourceDefinitions of the folders, with the given labels besides their own, and waits
// until they are served.
func (c *ControlPlane) InstallCRDs(labels map[string]string, paths ...string) error {
	options := envtest.CRDInstallOptions{
		Paths: paths, ErrorIfPathMissing: true, MaxTime: kindTimeout, PollInterval: 100 * time.Millisecond,
	}
	if err := envtest.ReadCRDFiles(&options); err != nil {
		return fmt.Errorf("read CRDs: %w", err)
	}
	for _, crd := range options.CRDs {
		if crd.Labels == nil {
			crd.Labels = map[string]string{}
		}
		for k, v := range labels {
			crd.Labels[k] = v
		}
	}
	options.Paths = nil
	if _, err := envtest.InstallCRDs(c.Config, options); err != nil {
		return fmt.Errorf("install CRDs: %w", err)
	}
	return nil
}

// EnsureNamespace makes a namespace if it is not there.
func (c *ControlPlane) EnsureNamespace(ctx context.Context, name string) error {
	err := c.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("make namespace %s: %w", name, err)
	}
	return nil
}
