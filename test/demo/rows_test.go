package main

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
)

// TestStates goes through the states of a machine in their order. Each case adds to the ones before.
func TestStates(t *testing.T) {
	m, h, c := &clusterv1.Machine{}, &hostsv1.HostMachine{}, &v1alpha1.MachineBootstrapConfig{}
	condition := func(kind, reason string, status metav1.ConditionStatus) metav1.Condition {
		return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: "the message"}
	}
	for _, step := range []struct {
		change        func()
		state, detail string
	}{
		{func() {
			c.Status.Conditions = []metav1.Condition{condition("Ready", "WaitingForControlPlane", "False")}
		}, stateWaiting, "WaitingForControlPlane"},
		{func() { m.Spec.Bootstrap.DataSecretName = ptr.To("a") }, stateBooting, ""},
		{func() {
			h.Status.Conditions = []metav1.Condition{condition(host.ConditionBootSucceeded, "Provisioned", "True")}
		}, stateBooted, "its node is not known yet"},
		{func() { m.Status.NodeRef.Name = "a" }, stateJoined, "node a"},
		{func() {
			m.Status.NodeRef.Name = ""
			m.Status.Conditions = []metav1.Condition{condition(clusterv1.MachineNodeReadyCondition, "NodeReady", "True")}
		}, stateBooted, "its node is not known yet"},
		{func() { m.Status.NodeRef.Name = "a" }, stateReady, "node a"},
		{func() {
			h.Status.Conditions = []metav1.Condition{condition(host.ConditionBootSucceeded, "BootstrapFailed", "False")}
		}, stateFailed, "the message"},
		{func() { m.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }, stateDeleting, ""},
	} {
		step.change()
		if s, d := state(m, h, c); s != step.state || d != step.detail {
			t.Errorf("the state is %s %q, want %s %q", s, d, step.state, step.detail)
		}
	}
}
