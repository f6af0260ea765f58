package main

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	hostsv1 "github.com/machineadm/machineadm/adapters/kubernetes/api/infrastructure/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/domain/host"
)

// The states of a machine.
const (
	stateWaiting  = "Waiting"
	stateBooting  = "Booting"
	stateBooted   = "Booted"
	stateJoined   = "Joined"
	stateReady    = "Ready"
	stateFailed   = "Failed"
	stateDeleting = "Deleting"
)

// machineRows returns the states of all machines, sorted by name.
func (d *demo) machineRows(ctx context.Context) ([]row, error) {
	machines, err := d.listMachines(ctx)
	if err != nil {
		return nil, err
	}
	var hosts hostsv1.HostMachineList
	var configs v1alpha1.MachineBootstrapConfigList
	if err := d.management.Client.List(ctx, &hosts); err != nil {
		return nil, fmt.Errorf("list HostMachines: %w", err)
	}
	if err := d.management.Client.List(ctx, &configs); err != nil {
		return nil, fmt.Errorf("list configs: %w", err)
	}
	rows := make([]row, 0, len(machines))
	for i := range machines {
		m := &machines[i]
		r := row{name: m.Name}
		h := find(hosts.Items, func(h *hostsv1.HostMachine) bool { return h.Name == m.Spec.InfrastructureRef.Name })
		c := find(configs.Items, func(c *v1alpha1.MachineBootstrapConfig) bool {
			return c.Name == m.Spec.Bootstrap.ConfigRef.Name
		})
		r.data = format(c)
		r.state, r.detail = state(m, h, c)
		rows = append(rows, r)
	}
	return rows, nil
}

// find returns the first item that matches; a zero item if none does, because its controller has not created it yet.
func find[T any](items []T, matches func(*T) bool) *T {
	for i := range items {
		if matches(&items[i]) {
			return &items[i]
		}
	}
	return new(T)
}

// format returns the format of the machine's data, and whether the agent applies it.
func format(c *v1alpha1.MachineBootstrapConfig) string {
	words := []string{"no data"}
	if p := c.Status.Payload; p != nil {
		words = []string{p.Format, p.FormatVersion}
	}
	if c.Spec.Delivery != nil && c.Spec.Delivery.Mode == "Agent" {
		words = append(words, "agent")
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// state returns the state of a machine and its detail.
func state(m *clusterv1.Machine, h *hostsv1.HostMachine, c *v1alpha1.MachineBootstrapConfig) (state, detail string) {
	boot := conditions.Get(h, host.ConditionBootSucceeded)
	switch {
	case !m.DeletionTimestamp.IsZero():
		return stateDeleting, ""
	case boot != nil && failed(host.Reason(boot.Reason)):
		return stateFailed, boot.Message
	case m.Status.NodeRef.IsDefined() && conditions.IsTrue(m, clusterv1.MachineNodeReadyCondition):
		return stateReady, "node " + m.Status.NodeRef.Name
	case m.Status.NodeRef.IsDefined():
		return stateJoined, "node " + m.Status.NodeRef.Name
	case m.Spec.Bootstrap.DataSecretName == nil && conditions.IsTrue(c, clusterv1.ReadyCondition):
		return stateWaiting, "for Cluster API to read its data"
	case m.Spec.Bootstrap.DataSecretName == nil:
		return stateWaiting, conditions.GetReason(c, clusterv1.ReadyCondition)
	case boot != nil && boot.Status == metav1.ConditionTrue:
		return stateBooted, "its node is not known yet"
	default:
		return stateBooting, ""
	}
}

// failed reports whether the reason is that of a bootstrap which never succeeds.
func failed(reason host.Reason) bool {
	return reason == host.ReasonBootFailed || reason == host.ReasonBootInterrupted ||
		reason == host.ReasonBootDeadlineExceeded
}
