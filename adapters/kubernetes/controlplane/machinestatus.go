package controlplane

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// setMachines writes the conditions of the Machines that the control plane reports, and returns the Machines.
func (s *Store) setMachines(ctx context.Context, c ports.ControlPlane, status ports.ControlPlaneStatus) (
	[]*clusterv1.Machine, error,
) {
	decided := controlplane.MachineConditions(c.Desired, status.Observed, s.Clock.Now())
	var found []*clusterv1.Machine
	for _, read := range status.Observed.Machines {
		m := &clusterv1.Machine{}
		err := s.Client.Get(ctx, client.ObjectKey{Namespace: c.Namespace, Name: read.Name}, m)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("get Machine %s: %w", read.Name, err)
		}
		found = append(found, m)
		if c.Desired.Paused {
			continue
		}
		before := m.DeepCopy()
		writeMachine(m, decided[m.Name], c, status)
		if equality.Semantic.DeepEqual(before.Status.Conditions, m.Status.Conditions) {
			continue
		}
		err = s.Client.Status().Patch(ctx, m, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
		if err != nil {
			return nil, fmt.Errorf("patch the conditions of Machine %s: %w", m.Name, conflict(err))
		}
	}
	return found, nil
}

// writeMachine sets the conditions of one Machine. etcd of Talos is not a Pod.
func writeMachine(m *clusterv1.Machine, decided []controlplane.Condition, c ports.ControlPlane,
	status ports.ControlPlaneStatus,
) {
	for _, condition := range decided {
		if string(condition.Type) == conditionEtcdPod && c.Desired.Type == node.ControlPlaneTalos {
			continue
		}
		conditions.Set(m, translate(condition))
	}
	writeRemediated(m, status)
}

// writeRemediated updates the condition OwnerRemediated, which a MachineHealthCheck sets. It is removed from a Machine
// that is healthy again.
func writeRemediated(m *clusterv1.Machine, status ports.ControlPlaneStatus) {
	marked := conditions.Get(m, clusterv1.MachineOwnerRemediatedCondition)
	if marked == nil {
		return
	}
	if conditions.IsTrue(m, clusterv1.MachineHealthCheckSucceededCondition) {
		conditions.Delete(m, clusterv1.MachineOwnerRemediatedCondition)
		return
	}
	if marked.Status != metav1.ConditionFalse {
		return
	}
	c := metav1.Condition{
		Type: clusterv1.MachineOwnerRemediatedCondition, Status: metav1.ConditionFalse,
		Reason: clusterv1.MachineOwnerRemediatedWaitingForRemediationReason, Message: marked.Message,
	}
	switch {
	case !m.DeletionTimestamp.IsZero() || status.Operation.Machine == m.Name && status.Operation.Remediates:
		c.Reason, c.Message = "MachineDeleting", "the Machine is being deleted and will be replaced"
	case status.Operation.Machine != m.Name && isRemediation(status.Reason.Code):
		c.Reason, c.Message = string(status.Reason.Code), status.Reason.Message
	}
	conditions.Set(m, c)
}

// isRemediation reports whether the reason explains why a machine is not remediated now.
func isRemediation(code controlplane.Code) bool {
	return code == controlplane.CodeRemediationBlocked || code == controlplane.CodeRemediationDelayed ||
		code == controlplane.CodeRemediationLimitReached
}
