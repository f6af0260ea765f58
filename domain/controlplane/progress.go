package controlplane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// rollingOut lists the machines that a rollout replaces.
func (p *planner) rollingOut() Condition {
	var problems []string
	for _, m := range slices.Concat(p.staying, p.leaving) {
		if p.outdated(m) {
			problems = append(problems, "machine "+m.Name+": "+Differences(p.d, m, p.now)[0].Message)
		}
	}
	if len(problems) == 0 {
		return Condition{Type: ConditionRollingOut, Status: StatusFalse, Reason: "NotRollingOut"}
	}
	return Condition{ConditionRollingOut, StatusTrue, string(CodeRollingOut), lines(problems)}
}

// scalingUp is true while machines are missing. If one cannot be created now, the message contains the reason.
func (p *planner) scalingUp(next *step) Condition {
	if p.d.Deleting || len(p.staying) >= p.d.Replicas {
		return Condition{Type: ConditionScalingUp, Status: StatusFalse, Reason: "NotScalingUp"}
	}
	return Condition{
		ConditionScalingUp, StatusTrue, string(CodeScalingUp),
		fmt.Sprintf("%d of %d machines exist; %s", len(p.staying), p.d.Replicas, next.Message),
	}
}

// scalingDown is true while there are more machines than wanted, also those that are being deleted.
func (p *planner) scalingDown(next *step) Condition {
	wanted := p.d.Replicas
	if p.d.Deleting {
		wanted = 0
	}
	if len(p.machines) <= wanted {
		return Condition{Type: ConditionScalingDown, Status: StatusFalse, Reason: "NotScalingDown"}
	}
	return Condition{
		ConditionScalingDown, StatusTrue, string(CodeScalingDown),
		fmt.Sprintf("%d machines exist, and %d are wanted; %s", len(p.machines), wanted, next.Message),
	}
}

// remediating lists the faulty machines, with the reason if one is not replaced now.
func (p *planner) remediating() Condition {
	c := Condition{Type: ConditionRemediating, Status: StatusFalse, Reason: "NotRemediating"}
	var problems []string
	for _, m := range p.machines {
		if !p.faulty(m) {
			continue
		}
		problem := "machine " + m.Name + ": " + p.fault(m)
		for _, n := range p.notes {
			if n.machine == m.Name {
				problem += "; " + n.reason.Message
			}
		}
		problems = append(problems, problem)
	}
	if p.o.Remediated != nil && len(p.staying) < p.limit() {
		problems = append(problems, "machine "+text(p.o.Remediated.Machine)+
			" was deleted, and its replacement is not created yet")
	}
	if len(problems) > 0 {
		c.Status, c.Reason, c.Message = StatusTrue, string(CodeRemediating), lines(problems)
	}
	return c
}

func (p *planner) deleting(next *step) Condition {
	if !p.d.Deleting {
		return Condition{Type: ConditionDeleting, Status: StatusFalse, Reason: "NotDeleting"}
	}
	return Condition{ConditionDeleting, StatusTrue, string(next.Code), next.Message}
}

// The conditions of a machine, besides those of its components.
const (
	ConditionUpToDate          ConditionType = "UpToDate"
	ConditionEtcdMemberHealthy ConditionType = "EtcdMemberHealthy"
	// ConditionNodeMarked has the name that KubeadmControlPlane uses. Cluster API folds conditions of equal meaning by
	// their names.
	ConditionNodeMarked ConditionType = "NodeKubeadmLabelsAndTaintsSet"
)

// conditionOf returns the condition of a component.
func conditionOf(c Component) ConditionType {
	switch c {
	case ComponentAPIServer:
		return "APIServerPodHealthy"
	case ComponentControllerManager:
		return "ControllerManagerPodHealthy"
	case ComponentScheduler:
		return "SchedulerPodHealthy"
	case ComponentEtcd:
		return "EtcdPodHealthy"
	}
	return ""
}

// MachineConditions returns the conditions of each machine by its name, in a fixed order. Those of etcd are missing
// with external etcd. A machine that is being terminated keeps the conditions that it has: its components are expected
// to end.
func MachineConditions(d Desired, o Observed, now time.Time) map[string][]Condition {
	p := newPlanner(d, o, now)
	all := make(map[string][]Condition, len(p.machines))
	for _, m := range p.machines {
		if m.Phase == PhaseTerminating {
			continue
		}
		conditions := []Condition{p.upToDate(m)}
		for _, c := range p.components() {
			conditions = append(conditions, componentCondition(m, c))
		}
		if p.stacked() {
			conditions = append(conditions, p.memberHealthy(m))
		}
		if p.d.Type != node.ControlPlaneTalos {
			conditions = append(conditions, nodeMarked(m))
		}
		all[m.Name] = conditions
	}
	return all
}

// upToDate lists how the machine differs. Summaries of Cluster API put lines first that begin with "* Version".
func (p *planner) upToDate(m Machine) Condition {
	var problems []string
	c := Condition{Type: ConditionUpToDate, Status: StatusTrue, Reason: "UpToDate"}
	for _, difference := range Differences(p.d, m, p.now) {
		c.Status, c.Reason = StatusFalse, "NotUpToDate"
		problems = append(problems, strings.ToUpper(difference.Message[:1])+difference.Message[1:])
	}
	c.Message = lines(problems)
	return c
}

// nodeMarked reports whether kubeadm has marked the node. Before, Pods of workloads can be scheduled to it.
func nodeMarked(m Machine) Condition {
	c := Condition{ConditionNodeMarked, StatusUnknown, "Unknown", "the node is not observed"}
	if m.Marks == nil || m.NodeName == "" {
		return c
	}
	var missing []string
	if !m.Marks.Labelled {
		missing = append(missing, "label "+ControlPlaneRole)
	}
	if !m.Marks.Tainted && !m.OwnTaints {
		missing = append(missing, "taint "+ControlPlaneRole+":NoSchedule")
	}
	if len(missing) > 0 {
		c.Status, c.Reason = StatusFalse, "NotSet"
		c.Message = "the node has no " + strings.Join(missing, " and no ")
		return c
	}
	c.Status, c.Reason, c.Message = StatusTrue, "Set", ""
	return c
}

func componentCondition(m Machine, c Component) Condition {
	result := Condition{Type: conditionOf(c), Status: StatusUnknown, Reason: "Unknown"}
	switch m.Components[c] {
	case HealthHealthy:
		result.Status, result.Reason = StatusTrue, "Healthy"
	case HealthUnhealthy:
		result.Status, result.Reason, result.Message = StatusFalse, "Unhealthy", string(c)+" is not healthy"
	case HealthUnknown:
		result.Message = string(c) + " is not observed"
	}
	return result
}

// memberHealthy is the health of the etcd member of the machine, which the member itself reports. It is unknown while
// the machine boots, as in KubeadmControlPlane: a MachineHealthCheck would replace each new machine otherwise.
func (p *planner) memberHealthy(m Machine) Condition {
	c := Condition{Type: ConditionEtcdMemberHealthy, Status: StatusUnknown, Reason: "Unknown"}
	member, found := p.byMachine[m.Name]
	switch problem := p.memberProblem(member); {
	case !p.o.Members.Known:
		c.Message = "the etcd members are unknown"
	case m.boots() && (!found || problem != ""):
		c.Reason, c.Message = "NotJoined", "the machine has not joined yet"
	case !found:
		c.Status, c.Reason, c.Message = StatusFalse, "NoMember", "the machine has no etcd member"
	case problem != "":
		c.Status, c.Reason, c.Message = StatusFalse, "Unhealthy", "etcd member "+member.id()+" "+problem
	default:
		c.Status, c.Reason = StatusTrue, "Healthy"
	}
	return c
}
