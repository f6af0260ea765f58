package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// newControlPlanePlan decides the next operation as the controller does.
func newControlPlanePlan(c ports.ControlPlane, now time.Time) controlPlanePlan {
	d, o := withHold(c), c.Observed
	plan := controlPlanePlan{
		Namespace: c.Namespace, Name: c.Name, Cluster: c.ClusterName, Version: d.Template.Version, Replicas: d.Replicas,
		Machines: []plannedMachine{}, Next: newPlannedOperation(controlplane.Plan(d, o, now)),
	}
	for _, m := range o.Machines {
		plan.Machines = append(plan.Machines, newPlannedMachine(d, o, m, now))
	}
	if !d.ExternalEtcd && o.Initialized {
		votes := controlplane.CountVotes(o.Members.List)
		plan.Members = &plannedMembers{Voters: votes.Voters, Responding: votes.Responding, Problem: o.Members.Problem}
	}
	for _, f := range c.Findings {
		plan.Findings = append(plan.Findings, f.String())
	}
	return plan
}

// withHold returns the desired control plane, which is held by an error in the specification.
func withHold(c ports.ControlPlane) controlplane.Desired {
	d := c.Desired
	for _, f := range c.Findings {
		if f.Severity == report.Error && d.Held == "" {
			d.Held = f.String()
		}
	}
	return d
}

func newPlannedMachine(d controlplane.Desired, o controlplane.Observed, m controlplane.Machine, now time.Time,
) plannedMachine {
	p := plannedMachine{
		Name: m.Name, Phase: string(m.Phase), Version: m.Template.Version, Node: m.NodeName,
		FailureDomain: m.FailureDomain,
	}
	p.Unhealthy, p.components = illnesses(m)
	if member, found := o.MemberOf(m); found {
		p.Member, p.Responds, p.Leader = "Voter", member.Responds, member.Leader
		if member.Learner {
			p.Member = "Learner"
		}
	}
	for _, difference := range controlplane.Differences(d, m, now) {
		p.Differences = append(p.Differences, difference.Message)
	}
	return p
}

// illnesses lists what is wrong with a machine, and how many entries are components that are not healthy.
func illnesses(m controlplane.Machine) (all []string, components int) {
	for component, health := range m.Components {
		if health == controlplane.HealthUnhealthy {
			all = append(all, string(component))
		}
	}
	slices.Sort(all)
	components = len(all)
	if m.Unhealthy || m.RemediationRequested {
		all = append(all, "marked for remediation")
	}
	if m.Failure != "" {
		all = append(all, m.Failure)
	}
	return all, components
}

// notes returns the problems and differences for people.
func (m plannedMachine) notes() string {
	all := slices.Concat(m.Unhealthy[m.components:], m.Differences)
	if m.components > 0 {
		all = slices.Insert(all, 0, "unhealthy: "+strings.Join(m.Unhealthy[:m.components], ", "))
	}
	return terminal.Line(strings.Join(all, "; "))
}

// printPlans prints the plans for people.
func printPlans(o Options, plans []controlPlanePlan) error {
	for i, p := range plans {
		if i > 0 {
			fmt.Fprintln(o.Out)
		}
		if err := p.print(o); err != nil {
			return err
		}
	}
	return nil
}

func (p controlPlanePlan) print(o Options) error {
	fmt.Fprintln(o.Out, terminal.Line(fmt.Sprintf("%s/%s of Cluster %s: %s, %s%s", p.Namespace, p.Name,
		orDash(p.Cluster), p.Version, number(p.Replicas, "replica"), p.Members.text())))
	for _, f := range p.Findings {
		fmt.Fprintf(o.Out, "  %s\n", terminal.Line(f))
	}
	if err := p.printMachines(o.Out); err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "\nNext: %s\n  %s\n", colored(o, p.Next.tone(), terminal.Line(p.Next.text())),
		terminal.Line(p.Next.Message))
	if len(p.Following) == 0 {
		return nil
	}
	fmt.Fprintln(o.Out, "\nThen, if machines boot and nothing fails:")
	t := terminal.NewTable(o.Out, 2, 2)
	for i, f := range p.Following {
		t.Row(fmt.Sprintf("%d.", i+1), f.text(), f.Message)
	}
	return t.Flush()
}

func (p controlPlanePlan) printMachines(out io.Writer) error {
	if len(p.Machines) == 0 {
		_, err := fmt.Fprintln(out, "  no machines")
		return err
	}
	t := terminal.NewTable(out, 2, 2)
	t.Row("MACHINE", "PHASE", "VERSION", "NODE", "DOMAIN", "MEMBER", "PROBLEMS AND DIFFERENCES")
	for _, m := range p.Machines {
		t.Row(m.Name, m.Phase, orDash(m.Version), orDash(m.Node), orDash(m.FailureDomain), m.memberText(), orDash(m.notes()))
	}
	return t.Flush()
}

func (m plannedMachine) memberText() string {
	switch {
	case m.Member == "":
		return "-"
	case m.Member == "Learner":
		return "learner"
	case m.Leader:
		return "leader"
	case m.Responds:
		return "voter"
	default:
		return "does not respond"
	}
}

func (m *plannedMembers) text() string {
	switch {
	case m == nil:
		return ""
	case m.Problem != "":
		return ", etcd members unknown: " + terminal.Line(m.Problem)
	default:
		return fmt.Sprintf(", %d of %d etcd members respond", m.Responding, m.Voters)
	}
}

// text returns the operation with its objects and its reason.
func (o plannedOperation) text() string {
	text := o.Operation
	if o.Machine != "" {
		text += " " + o.Machine
	}
	if o.FailureDomain != "" {
		text += " in " + o.FailureDomain
	}
	return text + " (" + o.Reason + ")"
}

// tone returns the color of the operation: that of success if nothing is to be done.
func (o plannedOperation) tone() metav1.ConditionStatus {
	switch {
	case o.Reason == string(controlplane.CodeUpToDate):
		return metav1.ConditionTrue
	case o.Operation == string(controlplane.KindWait):
		return metav1.ConditionFalse
	default:
		return metav1.ConditionUnknown
	}
}
