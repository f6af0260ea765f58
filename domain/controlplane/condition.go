package controlplane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// Status is the status of a condition.
type Status string

// The statuses.
const (
	StatusTrue    Status = "True"
	StatusFalse   Status = "False"
	StatusUnknown Status = "Unknown"
)

// ConditionType is the type of a condition. The names are those of KubeadmControlPlane, because Cluster API orders and
// summarises conditions by their names.
type ConditionType string

// The conditions of a control plane.
const (
	ConditionAvailable             ConditionType = "Available"
	ConditionInitialized           ConditionType = "Initialized"
	ConditionCertificatesAvailable ConditionType = "CertificatesAvailable"
	ConditionEtcdClusterHealthy    ConditionType = "EtcdClusterHealthy"
	ConditionComponentsHealthy     ConditionType = "ControlPlaneComponentsHealthy"
	ConditionMachinesUpToDate      ConditionType = "MachinesUpToDate"
	ConditionRollingOut            ConditionType = "RollingOut"
	ConditionScalingUp             ConditionType = "ScalingUp"
	ConditionScalingDown           ConditionType = "ScalingDown"
	ConditionRemediating           ConditionType = "Remediating"
	ConditionDeleting              ConditionType = "Deleting"
)

// Condition is a condition of a control plane or of a machine.
type Condition struct {
	Type   ConditionType
	Status Status
	// Reason is one word, and Message one or more lines.
	Reason, Message string
}

// Conditions returns the conditions of the control plane in a fixed order. Those of etcd are missing with external
// etcd.
func Conditions(d Desired, o Observed, now time.Time) []Condition {
	p := newPlanner(d, o, now)
	step := p.next()
	all := []Condition{p.available(), p.initialized(), p.certificatesAvailable()}
	if p.stacked() {
		all = append(all, p.etcdHealthy())
	}
	return append(all, p.componentsHealthy(), p.machinesUpToDate(), p.rollingOut(), p.scalingUp(step), p.scalingDown(step),
		p.remediating(), p.deleting(step))
}

// available reports whether the cluster can be used, whatever else happens: a machine has all components, and etcd has
// a quorum.
func (p *planner) available() Condition {
	c := Condition{Type: ConditionAvailable, Status: StatusFalse}
	switch {
	case p.d.Deleting:
		c.Reason, c.Message = "Deleting", "the control plane is being deleted"
	case !p.o.Initialized:
		c.Reason, c.Message = "NotInitialized", "the API server of the cluster does not accept requests yet"
	case p.stacked() && !p.o.Members.Known:
		c.Status, c.Reason, c.Message = StatusUnknown, string(CodeMembersUnknown), text(p.o.Members.Problem)
	case p.stacked() && !p.votes.Holds():
		c.Reason, c.Message = string(CodeQuorumLost), p.votes.String()
	case !slices.ContainsFunc(p.machines, p.complete):
		c.Reason, c.Message = "ComponentsUnhealthy", "no machine has all components of a control plane"
	default:
		c.Status, c.Reason = StatusTrue, "Available"
	}
	return c
}

// complete reports whether the machine has all components of a control plane.
func (p *planner) complete(m Machine) bool {
	return p.serves(m) && m.Components[ComponentControllerManager] == HealthHealthy &&
		m.Components[ComponentScheduler] == HealthHealthy
}

func (p *planner) initialized() Condition {
	if p.o.Initialized {
		return Condition{Type: ConditionInitialized, Status: StatusTrue, Reason: "Initialized"}
	}
	return Condition{ConditionInitialized, StatusFalse, "NotInitialized", "the API server does not accept requests yet"}
}

func (p *planner) certificatesAvailable() Condition {
	switch {
	case p.o.CertificatesReady:
		return Condition{Type: ConditionCertificatesAvailable, Status: StatusTrue, Reason: "Available"}
	case len(p.o.MissingCertificates) == 0:
		return Condition{ConditionCertificatesAvailable, StatusUnknown, "Unknown", "the key pairs cannot be read"}
	default:
		return Condition{
			ConditionCertificatesAvailable, StatusFalse, string(CodeCertificatesMissing),
			list(p.o.MissingCertificates) + " are missing",
		}
	}
}

// etcdHealthy lists what is wrong with each member.
func (p *planner) etcdHealthy() Condition {
	c := Condition{Type: ConditionEtcdClusterHealthy, Status: StatusUnknown}
	if !p.o.Members.Known {
		c.Reason, c.Message = string(CodeMembersUnknown), text(p.o.Members.Problem)
		if !p.o.Initialized {
			c.Reason, c.Message = "NotInitialized", "the cluster is not initialized"
		}
		return c
	}
	var problems []string
	for _, member := range p.o.Members.List {
		if p.starts(member) {
			continue
		}
		if problem := p.memberProblem(member); problem != "" {
			problems = append(problems, "etcd member "+p.memberName(member)+" "+problem)
		}
	}
	if c.Message = lines(problems); len(problems) == 0 {
		c.Status, c.Reason = StatusTrue, "Healthy"
		return c
	}
	c.Status, c.Reason = StatusFalse, "Unhealthy"
	return c
}

// startTime is how long the member of a machine that boots may be a learner, or not respond, before this is a problem.
const startTime = 10 * time.Minute

// starts reports whether the machine of the member boots, is not late, and is not needed for the quorum.
func (p *planner) starts(member Member) bool {
	return len(member.Alarms) == 0 && p.votes.Holds() && slices.ContainsFunc(p.staying, func(m Machine) bool {
		own, found := p.byMachine[m.Name]
		return m.boots() && p.now.Sub(m.CreatedAt) < startTime &&
			(found && own.ID == member.ID || p.matches(m, member))
	})
}

// memberProblem describes what is wrong with the member, or returns an empty string.
func (p *planner) memberProblem(member Member) string {
	_, assigned := p.machineOf(member)
	switch {
	case len(member.Alarms) > 0:
		return "raises the alarm " + list(member.Alarms)
	case !assigned:
		return "belongs to no machine"
	case member.Learner:
		return "is a learner"
	case !member.votes():
		return "does not respond"
	default:
		return ""
	}
}

// componentsHealthy lists the components that are not healthy by machine.
func (p *planner) componentsHealthy() Condition {
	c := Condition{Type: ConditionComponentsHealthy, Status: StatusTrue, Reason: "Healthy"}
	if !p.o.Initialized {
		return Condition{c.Type, StatusUnknown, "NotInitialized", "the cluster is not initialized"}
	}
	var unhealthy, unknown []string
	for _, m := range p.staying {
		if m.Phase != PhaseRunning {
			continue
		}
		for _, component := range p.components() {
			switch m.Components[component] {
			case HealthUnhealthy:
				unhealthy = append(unhealthy, fmt.Sprintf("machine %s: %s is unhealthy", m.Name, component))
			case HealthUnknown:
				unknown = append(unknown, fmt.Sprintf("machine %s: %s is unknown", m.Name, component))
			case HealthHealthy:
			}
		}
	}
	switch {
	case len(unhealthy) > 0:
		c.Status, c.Reason = StatusFalse, "Unhealthy"
	case len(unknown) > 0:
		c.Status, c.Reason = StatusUnknown, "Unknown"
	}
	c.Message = lines(append(unhealthy, unknown...))
	return c
}

// components returns the components that each machine runs in static Pods. Talos runs etcd without a Pod.
func (p *planner) components() []Component {
	all := []Component{ComponentAPIServer, ComponentControllerManager, ComponentScheduler}
	if p.stacked() && p.d.Type != node.ControlPlaneTalos {
		all = append(all, ComponentEtcd)
	}
	return all
}

// machinesUpToDate lists how machines differ from the desired control plane.
func (p *planner) machinesUpToDate() Condition {
	c := Condition{Type: ConditionMachinesUpToDate, Status: StatusTrue, Reason: "UpToDate"}
	var problems []string
	for _, m := range slices.Concat(p.staying, p.leaving) {
		for _, difference := range Differences(p.d, m, p.now) {
			problems = append(problems, "machine "+m.Name+": "+difference.Message)
		}
	}
	switch {
	case len(problems) > 0:
		c.Status, c.Reason, c.Message = StatusFalse, "NotUpToDate", lines(problems)
	case len(p.staying) == 0:
		c.Reason = "NoReplicas"
	}
	return c
}

// lines joins problems, each in its own line, up to a limit.
func lines(problems []string) string {
	if len(problems) > maxNames {
		problems = append(slices.Clone(problems[:maxNames]), fmt.Sprintf("and %d more", len(problems)-maxNames))
	}
	text := strings.Join(problems, "\n* ")
	if len(problems) > 0 {
		text = "* " + text
	}
	return strings.ToValidUTF8(text[:min(len(text), maxMessage)], "")
}
