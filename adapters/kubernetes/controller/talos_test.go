package controller_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/ports"
)

// firstOfTalos makes the machine the first one of a Talos cluster.
func firstOfTalos(c *v1alpha1.MachineBootstrapConfig, cluster *clusterv1.Cluster, m *clusterv1.Machine) {
	c.Spec.OS.Distribution = "talos"
	cluster.Status.Conditions = nil
	m.Labels[clusterv1.MachineControlPlaneLabel] = ""
	m.Spec.Bootstrap.ConfigRef = clusterv1.ContractVersionedObjectReference{
		APIGroup: v1alpha1.Group,
		Kind:     v1alpha1.ConfigKind, Name: c.Name,
	}
}

// The returned events are those since the last call.
func (w *world) eventText() string {
	var notes []string
	for len(w.events.Events) > 0 {
		notes = append(notes, <-w.events.Events)
	}
	return strings.Join(notes, "\n")
}

func TestTalosClusterIsStartedByHand(t *testing.T) {
	w := newWorld(t, firstOfTalos)
	started := func() *metav1.Condition {
		t.Helper()
		c := w.reconcile()
		if !c.Status.Ready {
			t.Errorf("the data is not ready: %v", conditions(c))
		}
		return meta.FindStatusCondition(c.Status.Conditions, controller.ConditionStarted)
	}
	is := started()
	if is == nil || is.Status != metav1.ConditionFalse || !strings.Contains(is.Message,
		"talosctl --talosconfig talosconfig") {
		t.Fatalf("condition %+v", is)
	}
	if message := w.eventText(); !strings.Contains(message, "BootstrapCallNeeded") {
		t.Errorf("events %q", message)
	}
	patches := w.patches
	if started(); w.patches != patches || w.eventText() != "" {
		t.Error("it was reported twice")
	}
	w.update(&clusterv1.Machine{}, "m1", func(o client.Object) {
		o.(*clusterv1.Machine).Status.Addresses = clusterv1.MachineAddresses{{
			Type:    clusterv1.MachineInternalIP,
			Address: "10.0.0.7",
		}}
	})
	if is := started(); !strings.Contains(is.Message, "--nodes 10.0.0.7") {
		t.Errorf("message %q does not name the address", is.Message)
	}
	w.eventText()
	w.update(&clusterv1.Cluster{}, "c1", func(o client.Object) {
		o.(*clusterv1.Cluster).Status.Conditions = []metav1.Condition{{
			Type: clusterv1.ClusterControlPlaneInitializedCondition, Status: metav1.ConditionTrue,
		}}
	})
	if is := started(); is.Status != metav1.ConditionTrue || is.Message != "" {
		t.Errorf("condition %+v", is)
	}
	if message := w.eventText(); !strings.Contains(message, "ControlPlaneStarted") {
		t.Errorf("events %q", message)
	}
}

func (w *world) update(o client.Object, name string, change func(client.Object)) {
	w.t.Helper()
	if err := w.client.Get(w.t.Context(), client.ObjectKey{Namespace: "default", Name: name}, o); err != nil {
		w.t.Fatalf("get %s: %v", name, err)
	}
	change(o)
	if err := w.client.Update(w.t.Context(), o); err != nil {
		w.t.Fatalf("update %s: %v", name, err)
	}
}

func TestKubeadmsMachinesAreNotStartedByHand(t *testing.T) {
	c := newWorld(t, nil).reconcile()
	if is := meta.FindStatusCondition(c.Status.Conditions, controller.ConditionStarted); is != nil {
		t.Errorf("condition %+v", is)
	}
}

func TestMixedControlPlaneTypesAreACondition(t *testing.T) {
	cases := map[string]struct {
		reason       string
		distribution string
		annotation   string
		want         string
	}{
		"Talos in kubeadm's": {reason: "there is no trustd", distribution: "talos", want: "trustd"},
		"Ubuntu in Talos's": {
			reason: "there is no cluster-info", distribution: "ubuntu", annotation: "Talos",
			want: "cluster-info",
		},
		"no flavor": {
			reason: "the annotation is empty", distribution: "ubuntu", annotation: "Tallos",
			want: "Kubeadm or Talos",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, cluster *clusterv1.Cluster, _ *clusterv1.Machine) {
				c.Spec.OS.Distribution = tc.distribution
				if tc.annotation != "" {
					cluster.Annotations = map[string]string{ports.ControlPlaneTypeAnnotation: tc.annotation}
				}
			})
			c := w.reconcile()
			ready := meta.FindStatusCondition(c.Status.Conditions, controller.ConditionReady)
			if ready.Status != metav1.ConditionFalse || !strings.Contains(ready.Message, tc.want) ||
				c.Status.FailureReason != nil {
				t.Errorf("%+v, want a message about %s: %s", ready, tc.want, tc.reason)
			}
			if message := w.eventText(); !strings.Contains(message, tc.want) {
				t.Errorf("events %q do not say %s", message, tc.want)
			}
		})
	}
}
