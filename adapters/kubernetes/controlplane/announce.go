package controlplane

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/adapters/kubernetes/internal/kube"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// watched returns the conditions whose changes are events.
func watched() []string {
	return []string{
		clusterv1.AvailableCondition, conditionSpecAccepted, conditionTasksSucceeded,
		string(controlplane.ConditionCertificatesAvailable), string(controlplane.ConditionEtcdClusterHealthy),
		string(controlplane.ConditionComponentsHealthy), conditionSnapshotStored,
	}
}

// emit emits an event.
func (s *Store) emit(o *v1alpha1.MachineadmControlPlane, kind, reason, action, note string) {
	if s.Events != nil {
		s.Events.Eventf(o, nil, kind, reason, action, "%s", kube.Note(note))
	}
}

// announceOperation emits an event for an operation, the first time. Some operations only prepare or complete another
// one.
func (s *Store) announceOperation(o *v1alpha1.MachineadmControlPlane, status ports.ControlPlaneStatus) {
	silent := []controlplane.Kind{
		controlplane.KindWait, controlplane.KindPrepareJoin, controlplane.KindMoveLeader, controlplane.KindReleaseMachine,
	}
	if !status.Again && !slices.Contains(silent, status.Operation.Kind) {
		s.emit(o, corev1.EventTypeNormal, string(status.Reason.Code), string(status.Operation.Kind), message(status))
	}
}

// announceConditions emits events for changes of conditions.
func (s *Store) announceConditions(before, o *v1alpha1.MachineadmControlPlane) {
	for _, name := range watched() {
		was, now := conditions.Get(before, name), conditions.Get(o, name)
		switch {
		case now == nil:
		case worse(was, now):
			note := strings.TrimSuffix(name+" is "+string(now.Status)+": "+now.Message, ": ")
			s.emit(o, corev1.EventTypeWarning, now.Reason, "Reconcile", note)
		case was != nil && was.Status != metav1.ConditionTrue && now.Status == metav1.ConditionTrue:
			s.emit(o, corev1.EventTypeNormal, now.Reason, "Reconcile", name+" is True")
		}
	}
}

// worse reports whether a condition is not True any more. Most conditions of a new control plane are False; for those
// of mistakes and failures, this is news as well. The condition of snapshots is Unknown before the first attempt.
func worse(was, now *metav1.Condition) bool {
	switch {
	case now.Status == metav1.ConditionTrue:
		return false
	case was != nil && was.Status == metav1.ConditionTrue:
		return true
	case now.Type == conditionSnapshotStored:
		return now.Status == metav1.ConditionFalse && (was == nil || was.Status == metav1.ConditionUnknown)
	}
	return was == nil && (now.Type == conditionSpecAccepted || now.Type == conditionTasksSucceeded)
}
