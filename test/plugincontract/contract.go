// Package plugincontract tests whether a kind of plugins follows the contract of docs/plugin-contract.md, on a real API
// server with the kind's own controller running. Authors of a kind import it in a test.
package plugincontract

import (
	"context"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// DefaultController is the user that machineadm's controller is, where it was installed as released.
const DefaultController = "system:serviceaccount:machineadm-system:machineadm-manager"

// Kind is a kind of plugins. Template, Patience and Controller may be left out.
type Kind struct {
	// Client has all permissions that the suite needs, on an API server that serves Cluster API's Clusters. It knows the
	// types of package core/v1.
	Client client.Client
	// Namespace is there and empty.
	Namespace string
	// Plugin returns a resource that becomes ready. The suite sets its name and namespace.
	Plugin func() *unstructured.Unstructured
	// Change changes the resource's spec so that its documents change.
	Change func(o *unstructured.Unstructured)
	// Template returns a template, or nil if the kind has none.
	Template func() *unstructured.Unstructured
	// Patience is how long the kind's controller may take; it defaults to a minute.
	Patience time.Duration
	// Controller is the user that machineadm's controller is; it defaults to DefaultController.
	Controller string
}

// Test holds the kind to the contract. It leaves nothing behind.
func Test(t *testing.T, k Kind) {
	t.Helper()
	if k.Patience == 0 {
		k.Patience = time.Minute
	}
	if k.Controller == "" {
		k.Controller = DefaultController
	}
	t.Run("definition", func(t *testing.T) { definition(t, k) })
	t.Run("permission", func(t *testing.T) { permission(t, k) })
	t.Run("documents", func(t *testing.T) { documents(t, k) })
	t.Run("change", func(t *testing.T) { change(t, k) })
	t.Run("lost Secret", func(t *testing.T) { lostSecret(t, k) })
	t.Run("lost status", func(t *testing.T) { lostStatus(t, k) })
	t.Run("marks", func(t *testing.T) { marks(t, k) })
	if k.Template != nil {
		t.Run("template", func(t *testing.T) { template(t, k) })
	}
	// These wait for nothing most of the time.
	t.Run("paused resource", func(t *testing.T) { t.Parallel(); paused(t, k, k.byAnnotation()) })
	t.Run("paused cluster", func(t *testing.T) { t.Parallel(); paused(t, k, k.byCluster(t)) })
}

// definition checks a definition: its resources are namespaced, their status is a subresource, and clusterctl moves
// them.
func definition(t *testing.T, k Kind) {
	t.Helper()
	kinds := []schema.GroupVersionKind{k.Plugin().GroupVersionKind()}
	if k.Template != nil {
		kinds = append(kinds, k.Template().GroupVersionKind())
		if want := kinds[0].Kind + "Template"; kinds[1].Kind != want || kinds[1].Group != kinds[0].Group {
			t.Errorf("the template's kind is %s, and what is made from it is found by the name %s", kinds[1].GroupKind(), want)
		}
	}
	for i, kind := range kinds {
		mapping, err := k.Client.RESTMapper().RESTMapping(kind.GroupKind())
		if err != nil {
			t.Fatal(err)
		}
		if mapping.Scope.Name() != meta.RESTScopeNameNamespace {
			t.Errorf("%s is not namespaced", kind.Kind)
		}
		crd := &unstructured.Unstructured{}
		crd.SetGroupVersionKind(schema.GroupVersionKind{
			Group: "apiextensions.k8s.io", Version: "v1",
			Kind: "CustomResourceDefinition",
		})
		if err := k.Client.Get(t.Context(), client.ObjectKey{Name: mapping.Resource.Resource + "." + kind.Group},
			crd); err != nil {
			t.Fatal(err)
		}
		if i == 0 && !hasStatus(crd) {
			t.Errorf("a %s has no subresource status", kind.Kind)
		}
		_, alone := crd.GetLabels()["clusterctl.cluster.x-k8s.io/move"]
		if _, all := crd.GetLabels()["clusterctl.cluster.x-k8s.io/move-hierarchy"]; !all && (i == 0 || !alone) {
			t.Errorf("clusterctl leaves a %s behind: its definition lacks the label clusterctl.cluster.x-k8s.io/move-hierarchy",
				kind.Kind)
		}
	}
}

func hasStatus(crd *unstructured.Unstructured) bool {
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if _, found, _ := unstructured.NestedMap(version, "subresources", "status"); found {
			return true
		}
	}
	return false
}

// permission holds that machineadm's controller may do what it has to, and may not change resources.
func permission(t *testing.T, k Kind) {
	t.Helper()
	may := []string{"get", "list", "watch"}
	if k.Template != nil {
		k.expect(t, k.Template(), may, nil)
		may = append(may, "create")
	}
	k.expect(t, k.Plugin(), may, []string{"update", "patch", "delete"})
}

func (k Kind) expect(t *testing.T, o *unstructured.Unstructured, may, mayNot []string) {
	t.Helper()
	mapping, err := k.Client.RESTMapper().RESTMapping(o.GroupVersionKind().GroupKind())
	if err != nil {
		t.Fatal(err)
	}
	allowed := func(verb string) bool {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: k.Controller, Groups: []string{"system:authenticated", "system:serviceaccounts"},
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: k.Namespace, Verb: verb, Group: mapping.Resource.Group, Resource: mapping.Resource.Resource,
			},
		}}
		if err := k.Client.Create(t.Context(), review); err != nil {
			t.Fatal(err)
		}
		return review.Status.Allowed
	}
	for _, verb := range may {
		k.wait(t, "the controller may "+verb+" "+mapping.Resource.Resource+"; is there a ClusterRole with the label "+
			v1alpha1.PluginsRoleLabel+"?",
			func(context.Context) bool { return allowed(verb) })
	}
	for _, verb := range mayNot {
		if allowed(verb) {
			t.Errorf("the controller may %s %s, which it never does", verb, mapping.Resource.Resource)
		}
	}
}

// wait repeats the question until the answer is yes.
func (k Kind) wait(t *testing.T, what string, yes func(context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), k.Patience)
	defer cancel()
	for !yes(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("waited in vain: %s", what)
		case <-time.After(polling):
		}
	}
}

// create makes a resource, which goes with the test.
func (k Kind) create(t *testing.T, o *unstructured.Unstructured, name string) *unstructured.Unstructured {
	t.Helper()
	o.SetNamespace(k.Namespace)
	o.SetName(name)
	if err := k.Client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.IgnoreNotFound(k.Client.Delete(context.WithoutCancel(t.Context()), o)); err != nil {
			t.Error(err)
		}
	})
	return o
}

// get reads a resource again.
func (k Kind) get(ctx context.Context, o *unstructured.Unstructured) error {
	return k.Client.Get(ctx, client.ObjectKeyFromObject(o), o)
}

// secret returns the resource's Secret, or nil if the resource is not ready, or the Secret is not there.
func (k Kind) secret(ctx context.Context, o *unstructured.Unstructured) *corev1.Secret {
	if k.get(ctx, o) != nil || !ready(o) {
		return nil
	}
	name, _, _ := unstructured.NestedString(o.Object, "status", "secretName")
	s := &corev1.Secret{}
	if k.Client.Get(ctx, client.ObjectKey{Namespace: o.GetNamespace(), Name: name}, s) != nil ||
		!metav1.IsControlledBy(s, o) {
		return nil
	}
	return s
}

// ready reports whether the status reports this generation as ready.
func ready(o *unstructured.Unstructured) bool {
	yes, _, _ := unstructured.NestedBool(o.Object, "status", "ready")
	seen, given, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	return yes && (!given || seen >= o.GetGeneration())
}
