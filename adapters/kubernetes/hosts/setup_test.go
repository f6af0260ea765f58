package hosts

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/ports"
)

// TestUpdatesOfHosts checks which updates of an available Host concern machines that wait for one, and templates.
func TestUpdatesOfHosts(t *testing.T) {
	cases := map[string]struct {
		reason    string
		change    func(*v1alpha1.Host)
		machines  bool
		templates bool
	}{
		"probe": {
			reason: "it writes the status each time",
			change: func(h *v1alpha1.Host) { h.Status.LastProbeTime = metav1.Unix(2, 0) },
		},
		"fault": {
			reason: "it is not available any more", machines: true,
			change: func(h *v1alpha1.Host) {
				h.Status.Conditions[0].Status, h.Status.Conditions[0].Reason = metav1.ConditionFalse, "Unreachable"
			},
		},
		"architecture": {
			change: func(h *v1alpha1.Host) { h.Status.Architecture = "arm64" }, machines: true, templates: true,
		},
		"agent": {
			reason: "machine configuration needs one", machines: true,
			change: func(h *v1alpha1.Host) { h.Status.Agent = true },
		},
		"labels": {
			reason: "selectors of templates may match", templates: true,
			change: func(h *v1alpha1.Host) { h.Labels = map[string]string{"a": "b"} },
		},
		"annotations": {
			reason: "they mean nothing here",
			change: func(h *v1alpha1.Host) { h.Annotations = map[string]string{"a": "b"} },
		},
		"capacity": {
			reason: "it is not part of a decision", templates: true,
			change: func(h *v1alpha1.Host) {
				h.Status.Capacity = v1alpha1.Capacity{corev1.ResourceCPU: "4"}
			},
		},
	}
	for name, c := range cases {
		before := &v1alpha1.Host{Status: v1alpha1.HostStatus{
			Conditions: []metav1.Condition{{Type: conditionReachable, Status: metav1.ConditionTrue, Reason: "Available"}},
		}}
		after := before.DeepCopy()
		c.change(after)
		update := event.UpdateEvent{ObjectOld: before, ObjectNew: after}
		if machines, templates := stateChanges().Update(update), capacityChanges().Update(update); machines != c.machines ||
			templates != c.templates {
			t.Errorf("%s (%s): machines %v, templates %v", name, c.reason, machines, templates)
		}
	}
}

// TestCapacityDoesNotFollowEachByte checks that templates are not reconciled because a host writes a log.
func TestCapacityDoesNotFollowEachByte(t *testing.T) {
	got := capacity(ports.HostProbe{DiskFreeBytes: 5<<30 + 1234})
	if storage := got.StorageEphemeral(); storage.Value() != 5<<30 {
		t.Errorf("the free space is %s", storage)
	}
}
