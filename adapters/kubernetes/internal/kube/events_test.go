package kube_test

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
)

// TestExceptStatus checks which updates of an object trigger a reconciliation.
func TestExceptStatus(t *testing.T) {
	owner := func(kind string) []metav1.OwnerReference { return []metav1.OwnerReference{{Kind: kind, Name: "m"}} }
	cases := map[string]struct {
		reason string
		change func(*clusterv1.Machine)
		want   bool
	}{
		"status":      {change: func(m *clusterv1.Machine) { m.Status.Phase = "Running" }},
		"version":     {reason: "also of a resync", change: func(m *clusterv1.Machine) { m.ResourceVersion = "2" }},
		"spec":        {change: func(m *clusterv1.Machine) { m.Generation = 2 }, want: true},
		"annotations": {change: func(m *clusterv1.Machine) { m.Annotations = map[string]string{"a": ""} }, want: true},
		"labels":      {change: func(m *clusterv1.Machine) { m.Labels = map[string]string{"a": ""} }, want: true},
		"finalizers":  {change: func(m *clusterv1.Machine) { m.Finalizers = []string{"a"} }, want: true},
		"owner": {
			reason: "the Machine replaces the MachineSet", want: true,
			change: func(m *clusterv1.Machine) { m.OwnerReferences = owner("Machine") },
		},
		"deletion": {
			change: func(m *clusterv1.Machine) { m.DeletionTimestamp = ptr.To(metav1.Unix(1, 0)) }, want: true,
		},
	}
	for name, c := range cases {
		before := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Generation: 1, OwnerReferences: owner("MachineSet")}}
		after := before.DeepCopy()
		c.change(after)
		if got := kube.ExceptStatus().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}); got != c.want {
			t.Errorf("%s (%s): %v, want %v", name, c.reason, got, c.want)
		}
	}
}

// uncopied is a cache with a Machine in each of two namespaces. It returns its own objects if the options allow that.
type uncopied struct{ client.Reader }

func (uncopied) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	o := (&client.ListOptions{}).ApplyOptions(options)
	machines, _ := list.(*clusterv1.MachineList)
	for _, namespace := range []string{"a", "b"} {
		if o.Namespace == namespace && ptr.Deref(o.UnsafeDisableDeepCopy, false) {
			m := clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "m"}}
			machines.Items = append(machines.Items, m)
		}
	}
	return nil
}

// TestRequestsCopyNothing checks that an event does not copy all objects that it may concern: a tenant can have
// thousands of them, of up to 1.5 MiB each.
func TestRequestsCopyNothing(t *testing.T) {
	accepts := func(m *clusterv1.Machine) bool { return m.Name == "m" }
	got := kube.Requests(t.Context(), uncopied{}, &clusterv1.MachineList{}, accepts, client.InNamespace("a"))
	if len(got) != 1 || got[0].Namespace != "a" {
		t.Errorf("%v", got)
	}
}
