package controlplane_test

import (
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
)

// TestPropagateForgetsTheRemediation checks that the record of a remediation goes if the creation of the replacement
// was interrupted before it removed the record.
func TestPropagateForgetsTheRemediation(t *testing.T) {
	w := newWorld(t, newCluster(), newPlane())
	name := w.creates(t)
	const recorded = `{"machine":"gone","timestamp":"2026-01-02T03:04:05Z","retryCount":1}`
	update(t, w, w.plane(t), func(o *v1alpha1.MachineadmControlPlane) {
		o.Annotations = map[string]string{v1alpha1.RemediationInProgressAnnotation: recorded}
	})
	w.propagates(t)
	if w.plane(t).Annotations[v1alpha1.RemediationInProgressAnnotation] != recorded {
		t.Error("the record is gone, and no machine replaces the other one")
	}
	update(t, w, w.machine(t, name), func(m *clusterv1.Machine) {
		m.Annotations[v1alpha1.RemediationForAnnotation] = recorded
	})
	w.propagates(t)
	if left, found := w.plane(t).Annotations[v1alpha1.RemediationInProgressAnnotation]; found {
		t.Errorf("the record %s remains", left)
	}
}
