package controller_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/controller"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// TestTheMachineChoosesTheCluster verifies that Cluster API's machine determines the cluster, and not the config's own
// label.
func TestTheMachineChoosesTheCluster(t *testing.T) {
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		c.Labels[clusterv1.ClusterNameLabel] = "c2"
	})
	w.reconcile()
	data, err := w.data.Find(t.Context(), ports.Key{Namespace: "default", Name: "m1"},
		ports.Owner{Key: ports.Key{Namespace: "default", Name: "m1"}, UID: "uid-1"})
	if err != nil || data.Cluster != "c1" {
		t.Errorf("%+v %v", data, err)
	}
}

// TestARefusedNameIsACondition verifies that a refusal is a condition with the field and the remedy, that nothing is
// created and that nothing is retried.
func TestARefusedNameIsACondition(t *testing.T) {
	name := "c1-ca"
	w := newWorld(t, func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, m *clusterv1.Machine) {
		m.Spec.Bootstrap.DataSecretName = &name
		// Plugins is nil, so a lookup would panic.
		c.Spec.PluginRefs = []v1alpha1.PluginReference{{APIGroup: "plugins.example.com", Kind: "Widget", Name: "a"}}
	})
	c := w.reconcile()
	ready := meta.FindStatusCondition(c.Status.Conditions, controller.ConditionReady)
	if ready == nil || ready.Reason != "InvalidSpec" || !strings.Contains(ready.Message,
		"spec.bootstrap.dataSecretName of the machine") {
		t.Errorf("%+v", c.Status.Conditions)
	}
	if c.Status.DataSecretCreated() || c.Status.FailureReason != nil || w.patches != 1 {
		t.Errorf("%+v, written %d times", c.Status, w.patches)
	}
	if w.reconcile(); w.patches != 1 {
		t.Errorf("written %d times", w.patches)
	}
}

// TestFactControlPlaneVersion checks that the fact is the oldest version of the control plane's Machines, and that a
// control plane without Machines is a condition.
func TestFactControlPlaneVersion(t *testing.T) {
	withFact := func(c *v1alpha1.MachineBootstrapConfig, _ *clusterv1.Cluster, _ *clusterv1.Machine) {
		c.Spec.Node = &v1alpha1.NodeConfigSpec{NameParts: []v1alpha1.Part{{Fact: "controlPlaneVersion"}}}
	}
	w := newWorld(t, withFact)
	for name, version := range map[string]string{"a": "v1.36.9", "b": "v1.36.4", "c": "v1.37.0"} {
		m := &clusterv1.Machine{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: name, Labels: map[string]string{clusterv1.MachineControlPlaneLabel: ""},
			},
			Spec: clusterv1.MachineSpec{ClusterName: "c1", Version: version},
		}
		if err := w.client.Create(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	w.reconcile()
	n, _, _ := document.First[node.NodeConfig](w.rendered)
	if got, static := n.Registration.Name.Static(); !static || string(got) != "v1.36.4" {
		t.Errorf("the version is %q, want v1.36.4", got)
	}
	w = newWorld(t, withFact)
	c := w.reconcile()
	ready := meta.FindStatusCondition(c.Status.Conditions, controller.ConditionReady)
	if ready == nil || ready.Reason != "InvalidSpec" || !strings.Contains(ready.Message, "spec.node.nameParts[0].fact: "+
		"the version of the control plane is not known") {
		t.Errorf("%+v", c.Status.Conditions)
	}
}
