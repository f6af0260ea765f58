package controlplane_test

import (
	"strings"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestFinishKeepsTheOwnerOfMachines deletes a control plane to which no Cluster refers any more. It remains as long as
// it has a Machine: that would be deleted with it, and keep its hook for ever.
func TestFinishKeepsTheOwnerOfMachines(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	another := &clusterv1.Cluster{}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: cluster}, another); err != nil {
		t.Fatal(err)
	}
	update(t, w, another, func(c *clusterv1.Cluster) { c.Spec.ControlPlaneRef.Name = "another" })
	if err := w.Delete(t.Context(), w.plane(t)); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Finish(t.Context(), w.read(t)); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("got %v", err)
	}
	update(t, w, w.machine(t, name), func(m *clusterv1.Machine) { m.OwnerReferences = nil })
	if err := w.store.Finish(t.Context(), w.read(t)); err != nil || !gone(t, w, newPlane(), plane) {
		t.Errorf("got %v", err)
	}
}
