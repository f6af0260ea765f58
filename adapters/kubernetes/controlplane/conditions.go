package controlplane

import (
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/report"
)

// The conditions of control planes that KubeadmControlPlane does not have: whether the specification is free of
// mistakes, and whether the last operation and the tasks beside the plan succeeded.
const (
	conditionSpecAccepted   = "SpecAccepted"
	conditionTasksSucceeded = "TasksSucceeded"
)

// maxMessage is the limit of the message of a condition, in bytes.
const maxMessage = 10240

// writeConditions sets the conditions of the control plane. Those of etcd are removed if it is external.
func writeConditions(o *v1alpha1.MachineadmControlPlane, s state, now time.Time) {
	decided := controlplane.Conditions(s.Desired, s.observed(), now)
	all := []metav1.Condition{specAccepted(s), tasksSucceeded(s), machinesReady(s)}
	for _, c := range decided {
		all = append(all, translate(c))
	}
	if s.Desired.ExternalEtcd {
		conditions.Delete(o, string(controlplane.ConditionEtcdClusterHealthy))
	}
	if c := snapshotStored(o, s, now); c.Type != "" {
		all = append(all, c)
	} else {
		conditions.Delete(o, conditionSnapshotStored)
	}
	for _, c := range all {
		c.ObservedGeneration, c.Message = o.Generation, report.Cut(c.Message, maxMessage)
		conditions.Set(o, c)
	}
}

// translate converts a condition of the domain.
func translate(c controlplane.Condition) metav1.Condition {
	return metav1.Condition{
		Type: string(c.Type), Status: metav1.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message,
	}
}

// setPaused sets the condition Paused.
func setPaused(o *v1alpha1.MachineadmControlPlane, paused bool) {
	c := condition(clusterv1.PausedCondition, paused, clusterv1.PausedReason, clusterv1.NotPausedReason, "")
	if paused {
		c.Message = "the Cluster or the control plane is paused"
	}
	c.ObservedGeneration = o.Generation
	conditions.Set(o, c)
}

// condition returns a condition that is True or False, with the reason of each.
func condition(kind string, holds bool, yes, no, message string) metav1.Condition {
	if holds {
		return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: yes, Message: message}
	}
	return metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Reason: no, Message: message}
}

// lines returns the lines of a message as Cluster API formats them.
func lines(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return "* " + strings.Join(all, "\n* ")
}

// specAccepted reports the findings about the specification.
func specAccepted(s state) metav1.Condition {
	findings, accepted := report.Report(s.Findings), "Accepted"
	var text []string
	shown, _ := findings.Shown()
	for _, f := range shown {
		text = append(text, f.String())
		if f.Severity == report.Warning {
			accepted = "AcceptedWithWarnings"
		}
	}
	return condition(conditionSpecAccepted, !findings.HasErrors(), accepted, "InvalidSpec", lines(text))
}

// tasksSucceeded reports the failures of the tasks that run beside the plan, and of the operation.
func tasksSucceeded(s state) metav1.Condition {
	var text []string
	for _, name := range slices.Sorted(maps.Keys(s.Problems)) {
		text = append(text, name+": "+s.Problems[name])
	}
	if s.Failure != "" {
		text = append(text, string(s.Operation.Kind)+": "+s.Failure)
	}
	return condition(conditionTasksSucceeded, len(text) == 0, "Succeeded", "Failed", lines(text))
}

// machinesReady summarises the condition Ready of the Machines.
func machinesReady(s state) metav1.Condition {
	const kind, of = clusterv1.MachinesReadyCondition, clusterv1.MachineReadyCondition
	if len(s.machines) == 0 {
		return condition(kind, true, clusterv1.NoReplicasReason, "", "")
	}
	reasons := conditions.GetDefaultComputeMergeReasonFunc(clusterv1.NotReadyReason, clusterv1.ReadyUnknownReason,
		clusterv1.ReadyReason)
	all, err := conditions.NewAggregateCondition(s.machines, of, conditions.TargetConditionType(kind),
		conditions.CustomMergeStrategy{MergeStrategy: conditions.DefaultMergeStrategy(conditions.ComputeReasonFunc(reasons))})
	if err != nil {
		return metav1.Condition{
			Type: kind, Status: metav1.ConditionUnknown, Reason: clusterv1.InternalErrorReason, Message: err.Error(),
		}
	}
	return *all
}
