package pluginresources_test

import (
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/composition"
	"github.com/machineadm/machineadm/ports"
)

// TestKindsThatAreNotPlugins verifies that a kind that is not a plugin is neither watched nor read, even if the
// controller may read it.
func TestKindsThatAreNotPlugins(t *testing.T) {
	for _, kind := range []string{
		"Machine.cluster.x-k8s.io", "MachinePool.cluster.x-k8s.io", "KubeadmControlPlane.controlplane.cluster.x-k8s.io",
		"ClusterResourceSet.addons.cluster.x-k8s.io", "Role.rbac.authorization.k8s.io", "Lease.coordination.k8s.io",
		"Deployment.apps", "Secret.",
		"Issuer.kubernetes.io", "MachineBootstrapConfig.bootstrap.machineadm.io",
		"MachineBootstrapConfigTemplate.bootstrap.machineadm.io",
		"S3BootstrapStorage.bootstrap.machineadm.io", "EndpointBootstrapStorage.bootstrap.machineadm.io",
	} {
		s := newScene(t)
		gk := schema.ParseGroupKind(kind)
		requested := composition.ID{Group: gk.Group, Kind: gk.Kind, Name: "a"}
		got, err := s.Find(t.Context(), "default", requested)
		if err != nil || got.State != composition.NotAPlugin || !strings.Contains(got.Message, "remove it from the list") {
			t.Errorf("%s: %s %q %v", kind, got.State, got.Message, err)
		}
		template := composition.ID{Group: gk.Group, Kind: gk.Kind + "Template", Name: "a"}
		got, err = s.Instantiate(t.Context(), ports.Owner{Key: ports.Key{Namespace: "default", Name: "m"}}, "c1",
			composition.InstanceOf("m", template))
		if err != nil || got.State != composition.NotAPlugin || len(s.watched) != 0 {
			t.Errorf("%s as a template: %s %v, watched %v", kind, got.State, err, s.watched)
		}
		if is, err := s.IsPlugin(t.Context(), gk); is || err != nil {
			t.Errorf("%s is a plugin: %v", kind, err)
		}
	}
}

// TestIsPlugin verifies which kinds are plugins, given the controller's permissions.
func TestIsPlugin(t *testing.T) {
	s := newScene(t)
	for kind, want := range map[string]bool{"Widget": true, "Gadget": false, "World": false} {
		if got, err := s.IsPlugin(t.Context(), group().WithKind(kind).GroupKind()); got != want || err != nil {
			t.Errorf("%s: %v %v", kind, got, err)
		}
	}
	forbidden := newScene(t)
	forbidden.forbidden = "list"
	if got, err := forbidden.IsPlugin(t.Context(), group().WithKind("Widget").GroupKind()); got || err != nil ||
		len(s.watched) != 0 {
		t.Errorf("%v %v, watched %v", got, err, s.watched)
	}
}

func TestInstanceIsTheOwners(t *testing.T) {
	s := newScene(t)
	s.WatchFilter = "ours"
	template := pluginID("WidgetTemplate", "t")
	s.Template(t, "default", template, "text")
	owner := ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "uid-1"}
	i := composition.InstanceOf("m1", template)
	if got, err := s.Instantiate(t.Context(), owner, "c1", i); err != nil || got.State != composition.NotReady {
		t.Fatalf("%+v %v", got, err)
	}
	o := s.made("default", i.ID)
	controller := metav1.GetControllerOf(o)
	if controller == nil || controller.UID != "uid-1" || controller.Kind != v1alpha1.ConfigKind ||
		controller.Name != "m1" {
		t.Errorf("owner %+v", o.GetOwnerReferences())
	}
	labels := o.GetLabels()
	if labels["cluster.x-k8s.io/cluster-name"] != "c1" || labels["a"] != "b" ||
		labels["cluster.x-k8s.io/watch-filter"] != "ours" {
		t.Errorf("labels %v", labels)
	}
}

// TestATemplateSetsASpecAlone verifies that a template does not determine the name, owner, cluster, finalizers or
// status of a created plugin.
func TestATemplateSetsASpecAlone(t *testing.T) {
	s := newScene(t)
	s.WatchFilter = "ours"
	template := pluginID("WidgetTemplate", "t")
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"template": map[string]any{
		"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"value": "YQ=="}, "status": readyPlugin("c1-kubeconfig"),
		"spec": map[string]any{"text": "a"},
		"metadata": map[string]any{
			"name": "c1-kubeconfig", "namespace": "kube-system", "generateName": "a", "uid": "uid-9",
			"finalizers":      []any{"a.example/b"},
			"labels":          map[string]any{"cluster.x-k8s.io/cluster-name": "c2", "cluster.x-k8s.io/watch-filter": "theirs"},
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}},
		},
	}}}}
	o.SetGroupVersionKind(group().WithKind(template.Kind))
	o.SetNamespace("default")
	o.SetName(template.Name)
	if err := s.client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	i := composition.InstanceOf("m1", template)
	owner := ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "uid-1"}
	if got, err := s.Instantiate(t.Context(), owner, "c1", i); err != nil || got.State != composition.NotReady {
		t.Fatalf("%+v %v", got, err)
	}
	created := s.made("default", i.ID)
	for _, field := range []string{"status", "data"} {
		if _, there := created.Object[field]; there {
			t.Errorf("it has %s: %v", field, created.Object[field])
		}
	}
	owners, labels := created.GetOwnerReferences(), created.GetLabels()
	if len(owners) != 1 || owners[0].UID != "uid-1" || len(created.GetFinalizers()) != 0 ||
		created.GetGenerateName() != "" ||
		created.GetUID() == "uid-9" {
		t.Errorf("metadata %v", created.Object["metadata"])
	}
	if labels["cluster.x-k8s.io/cluster-name"] != "c1" || labels["cluster.x-k8s.io/watch-filter"] != "ours" {
		t.Errorf("labels %v", labels)
	}
}

func TestFailuresAreErrors(t *testing.T) {
	s := newScene(t)
	s.fail = errors.New("no connection")
	if _, err := s.Find(t.Context(), "default", pluginID("Widget", "a")); !errors.Is(err, s.fail) {
		t.Error(err)
	}
}
