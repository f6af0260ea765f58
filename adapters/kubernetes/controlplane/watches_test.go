package controlplane

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// TestMachineChanges checks which updates of a Machine are decided about.
func TestMachineChanges(t *testing.T) {
	set := func(kind string) func(*clusterv1.Machine) {
		return func(m *clusterv1.Machine) {
			m.Status.Conditions = append(m.Status.Conditions, metav1.Condition{Type: kind, Status: metav1.ConditionTrue})
		}
	}
	cases := map[string]struct {
		reason string
		change func(*clusterv1.Machine)
		want   bool
	}{
		"version":          {reason: "also of a resync", change: func(m *clusterv1.Machine) { m.ResourceVersion = "2" }},
		"member":           {reason: "this controller sets it", change: set(conditionEtcdMember)},
		"up to date":       {reason: "this controller sets it", change: set(clusterv1.MachineUpToDateCondition)},
		"ready":            {reason: "counted", change: set(clusterv1.MachineReadyCondition), want: true},
		"health check":     {reason: "remediation", change: set(clusterv1.MachineHealthCheckSucceededCondition), want: true},
		"remediated":       {reason: "by a health check", change: set(clusterv1.MachineOwnerRemediatedCondition), want: true},
		"node":             {change: func(m *clusterv1.Machine) { m.Status.NodeRef.Name = "n" }, want: true},
		"annotation":       {change: func(m *clusterv1.Machine) { m.Annotations = map[string]string{"a": ""} }, want: true},
		"spec":             {change: func(m *clusterv1.Machine) { m.Generation = 2 }, want: true},
		"failure to reach": {reason: "phase", change: func(m *clusterv1.Machine) { m.Status.Phase = "Failed" }, want: true},
	}
	for name, c := range cases {
		before := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Generation: 1}}
		after := before.DeepCopy()
		c.change(after)
		if got := machineChanges().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}); got != c.want {
			t.Errorf("%s (%s): %v, want %v", name, c.reason, got, c.want)
		}
	}
	if !machineChanges().Delete(event.DeleteEvent{}) || !machineChanges().Create(event.CreateEvent{}) {
		t.Error("new and deleted Machines are ignored")
	}
}
