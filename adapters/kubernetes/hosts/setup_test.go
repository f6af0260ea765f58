package hosts

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
)

// TestExceptStatus checks which updates of an object trigger a reconciliation.
func TestExceptStatus(t *testing.T) {
	owner := func(kind string) []metav1.OwnerReference { return []metav1.OwnerReference{{Kind: kind, Name: "m"}} }
	cases := map[string]struct {
		reason string
		change func(*v1alpha1.HostMachine)
		want   bool
	}{
		"status":      {change: func(m *v1alpha1.HostMachine) { m.Status.Ready = true }},
		"version":     {reason: "also of a resync", change: func(m *v1alpha1.HostMachine) { m.ResourceVersion = "2" }},
		"spec":        {change: func(m *v1alpha1.HostMachine) { m.Generation = 2 }, want: true},
		"annotations": {change: func(m *v1alpha1.HostMachine) { m.Annotations = map[string]string{"a": ""} }, want: true},
		"labels":      {change: func(m *v1alpha1.HostMachine) { m.Labels = map[string]string{"a": ""} }, want: true},
		"finalizers":  {change: func(m *v1alpha1.HostMachine) { m.Finalizers = []string{"a"} }, want: true},
		"owner": {
			reason: "the Machine replaces the MachineSet", want: true,
			change: func(m *v1alpha1.HostMachine) { m.OwnerReferences = owner("Machine") },
		},
		"deletion": {
			change: func(m *v1alpha1.HostMachine) { m.DeletionTimestamp = ptr.To(metav1.Unix(1, 0)) }, want: true,
		},
	}
	for name, c := range cases {
		before := &v1alpha1.HostMachine{ObjectMeta: metav1.ObjectMeta{Generation: 1, OwnerReferences: owner("MachineSet")}}
		after := before.DeepCopy()
		c.change(after)
		if got := exceptStatus().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}); got != c.want {
			t.Errorf("%s (%s): %v, want %v", name, c.reason, got, c.want)
		}
	}
}
