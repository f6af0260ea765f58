package clusterctl_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
)

// TestControlPlaneComponents checks that the components of control planes have the image of the other providers, run
// only the controller of control planes, and that their definitions have one label of a contract.
func TestControlPlaneComponents(t *testing.T) {
	r := rendered(t)
	path := filepath.Join(filepath.Dir(r.config), "control-plane-machineadm", version)
	objects := manifests(t, filepath.Join(path, "control-plane-components.yaml"))
	pod := deployment(t, objects, "machineadm-control-plane-controller-manager").Spec.Template.Spec
	other := manager(t, components(t, r, "")).Spec.Template.Spec
	if got, want := pod.Containers[0].Image, other.Containers[0].Image; got != want {
		t.Errorf("the image is %s, want %s", got, want)
	}
	if !slices.Contains(pod.Containers[0].Args, "--controllers=control-plane") {
		t.Errorf("the arguments are %q", pod.Containers[0].Args)
	}
	for _, o := range objects {
		labels := o.GetLabels()
		if got := labels["cluster.x-k8s.io/provider"]; got != "control-plane-machineadm" {
			t.Errorf("%s %s belongs to the provider %q", o.GetKind(), o.GetName(), got)
		}
		_, older := labels["cluster.x-k8s.io/v1beta1"]
		if o.GetKind() == "CustomResourceDefinition" && (older || labels["cluster.x-k8s.io/v1beta2"] != v1alpha1.Version) {
			t.Errorf("%s has the labels %v", o.GetName(), labels)
		}
	}
	if _, err := os.Stat(filepath.Join(path, "metadata.yaml")); err != nil {
		t.Error(err)
	}
}
