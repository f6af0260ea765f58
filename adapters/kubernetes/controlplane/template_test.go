package controlplane_test

import (
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	infrastructurev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
)

// template returns the infrastructure template.
func (w *world) template(t *testing.T) *infrastructurev1.HostMachineTemplate {
	t.Helper()
	o := &infrastructurev1.HostMachineTemplate{}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "template"}, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestClusterOwnsTheTemplate checks the owners of the infrastructure template, without which clusterctl does not move
// it. Other owners stay. A template that is missing is not a failure here, and an object that is not a template is not
// changed.
func TestClusterOwnsTheTemplate(t *testing.T) {
	host := &infrastructurev1.HostMachine{}
	host.Name, host.Namespace = "host", namespace
	w := newWorld(t, newCluster(), newPlane(), host)
	update(t, w, w.template(t), func(o *infrastructurev1.HostMachineTemplate) {
		o.OwnerReferences = []metav1.OwnerReference{
			{APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "Cluster", Name: "other", UID: "other-uid"},
			{APIVersion: "cluster.x-k8s.io/v1beta1", Kind: "Cluster", Name: cluster, UID: "before-a-restore"},
		}
	})
	w.propagates(t)
	var got []string
	for _, r := range w.template(t).OwnerReferences {
		got = append(got, r.Kind+"/"+r.Name+"/"+string(r.UID))
	}
	const want = "Cluster/other/other-uid Cluster/c/cluster-uid"
	if strings.Join(got, " ") != want {
		t.Errorf("the owners are %s, want %s", got, want)
	}
	before := w.writes
	w.propagates(t)
	for kind, name := range map[string]string{infrastructurev1.MachineTemplateKind: "missing", "HostMachine": "host"} {
		update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
			ref := &o.Spec.MachineTemplate.Spec.InfrastructureRef
			ref.Kind, ref.Name = kind, name
		})
		w.propagates(t)
	}
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
		o.Spec.MachineTemplate.Spec.InfrastructureRef.Kind = "UnknownMachineTemplate"
	})
	w.propagates(t)
	if w.writes != before {
		t.Errorf("%d writes", w.writes-before)
	}
}

// TestTemplateThatCannotBeChanged checks that a missing permission is reported.
func TestTemplateThatCannotBeChanged(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	w.fails = func(_ string, o client.Object) error {
		if o != nil && o.GetName() == "template" {
			return errors.New("forbidden")
		}
		return nil
	}
	err := w.store.Propagate(t.Context(), w.read(t))
	if err == nil || !strings.Contains(err.Error(), "HostMachineTemplate template: forbidden") {
		t.Errorf("got %v", err)
	}
}
