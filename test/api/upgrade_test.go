package api_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/programs"
)

// define applies the definition of configs, with the rules about the whole object or, as before there were some,
// without.
func define(t *testing.T, c *controlplane.ControlPlane, rules bool) {
	t.Helper()
	path := filepath.Join(programs.Root(), "config/crd/bases", v1alpha1.Group+"_machinebootstrapconfigs.yaml")
	definitions, err := controlplane.ReadManifests(path)
	if err != nil || len(definitions) != 1 {
		t.Fatalf("%d definitions: %v", len(definitions), err)
	}
	versions, _, _ := unstructured.NestedSlice(definitions[0].Object, "spec", "versions")
	for _, v := range versions {
		if version, ok := v.(map[string]any); ok && !rules {
			unstructured.RemoveNestedField(version, "schema", "openAPIV3Schema", "x-kubernetes-validations")
		}
	}
	if err := unstructured.SetNestedSlice(definitions[0].Object, versions, "spec", "versions"); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(t.Context(), definitions...); err != nil {
		t.Fatal(err)
	}
}

// createUntil creates configs of the name until the API server does what is wanted: it takes a moment to use a
// definition.
func createUntil(t *testing.T, c *controlplane.ControlPlane, name string, created bool) {
	t.Helper()
	try := func(ctx context.Context) (bool, error) {
		o := config(t, `{}`)
		o.SetName(name)
		err := c.Client.Create(ctx, o)
		if err == nil && !created {
			return false, c.Client.Delete(ctx, o)
		}
		return (err == nil) == created, nil
	}
	if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, time.Minute, true, try); err != nil {
		t.Fatalf("create %s, wanted %v: %v", name, created, err)
	}
}

// earlierNames holds that a config which has a refused name from an earlier version can be reconciled and deleted: the
// API server checks the rules of a definition at each change of an object, also of its status and its finalizers.
func earlierNames(t *testing.T, c *controlplane.ControlPlane) {
	const name = "earlier-kubeconfig"
	define(t, c, false)
	createUntil(t, c, name, true)
	define(t, c, true)
	createUntil(t, c, "later-kubeconfig", false)
	o := config(t, `{}`)
	o.SetName(name)
	merge := func(text string) client.Patch { return client.RawPatch(types.MergePatchType, []byte(text)) }
	if err := c.Client.Status().Patch(t.Context(), o, merge(`{"status": {"observedGeneration": 1}}`)); err != nil {
		t.Errorf("report why it is refused: %v", err)
	}
	if err := c.Client.Patch(t.Context(), o, merge(`{"metadata": {"annotations": {"a": "b"}}}`)); err != nil {
		t.Errorf("annotate it: %v", err)
	}
	// The garbage collector then removes the finalizer; it does not run here.
	if err := c.Client.Delete(t.Context(), o, client.PropagationPolicy(metav1.DeletePropagationForeground)); err != nil {
		t.Fatal(err)
	}
	if err := c.Client.Patch(t.Context(), o, merge(`{"metadata": {"finalizers": null}}`)); err != nil {
		t.Errorf("finish its deletion: %v", err)
	}
	if err := c.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); !apierrors.IsNotFound(err) {
		t.Errorf("it is still there: %v", err)
	}
}
