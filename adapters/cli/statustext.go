package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
)

// The sequences that begin and end colors.
const bad, good, unknown, plain = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"

// colored returns the text in the color of a condition's status, if the output displays colors.
func colored(o Options, status metav1.ConditionStatus, text string) string {
	switch {
	case !o.Color:
		return text
	case status == metav1.ConditionFalse:
		return bad + text + plain
	case status == metav1.ConditionTrue:
		return good + text + plain
	default:
		return unknown + text + plain
	}
}

// printSummaries prints one line for each machine. Columns are aligned before colors are added.
func printSummaries(o Options, machines []machineStatus) error {
	if len(machines) == 0 {
		_, err := fmt.Fprintln(o.Err, "there are no machines")
		return err
	}
	var text strings.Builder
	t := terminal.NewTable(&text, 0, 2)
	t.Row("NAMESPACE", "NAME", "READY", "BOOTSTRAPPED", "SUMMARY")
	for _, m := range machines {
		ready, bootstrapped := m.condition("Ready"), m.condition("BootstrapSucceeded")
		t.Row(m.Namespace, m.Name, orDash(string(ready.Status)), orDash(string(bootstrapped.Status)), m.Summary)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	lines := strings.SplitAfter(text.String(), "\n")
	for i, m := range machines {
		lines[i+1] = strings.Replace(lines[i+1], m.Summary, colored(o, m.tone(), m.Summary), 1)
	}
	_, err := io.WriteString(o.Out, strings.Join(lines, ""))
	return err
}

// tone returns the status whose color the summary has.
func (m machineStatus) tone() metav1.ConditionStatus {
	ready := m.condition("Ready").Status
	switch {
	case m.problem() != "":
		return metav1.ConditionFalse
	case ready == metav1.ConditionFalse || m.Node != "":
		return ready
	}
	return m.condition("BootstrapSucceeded").Status
}

// printDetails prints everything that is known about the machines.
func printDetails(o Options, machines []machineStatus) error {
	for i, m := range machines {
		if i > 0 {
			fmt.Fprintln(o.Out)
		}
		fmt.Fprintf(o.Out, "%s/%s: %s\n", terminal.Line(m.Namespace), terminal.Line(m.Name), colored(o, m.tone(), m.Summary))
		t := terminal.NewTable(o.Out, 2, 2)
		m.printFacts(t)
		if err := t.Flush(); err != nil {
			return err
		}
		if b := m.Bootstrap; b != nil && b.Failure != nil && b.Failure.Log != "" {
			fmt.Fprintln(o.Out, "  Log")
			for _, line := range strings.Split(strings.TrimSpace(terminal.Text(b.Failure.Log)), "\n") {
				fmt.Fprintln(o.Out, "    | "+line)
			}
		}
		printConditions(t, "", m.Conditions)
		printConditions(t, "Machine "+m.Machine, m.MachineConditions)
		if i := m.Infrastructure; i != nil {
			printConditions(t, i.Kind+" "+i.Name, i.Conditions)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// printFacts prints a line for each fact.
func (m machineStatus) printFacts(t *terminal.Table) {
	line := func(name, format string, args ...any) {
		t.Row(name, fmt.Sprintf(format, args...))
	}
	if m.Machine != "" {
		line("Machine", "%s %s", m.Machine, m.Version)
	}
	if m.Node != "" {
		line("Node", "%s", m.Node)
	}
	if m.DataSecret != "" {
		line("Data", "Secret %s%s", m.DataSecret, payloadText(m.Payload))
	}
	if m.Bootstrap == nil {
		if m.reports {
			line("Bootstrap", "the machine has not reported")
		}
		return
	}
	line("Bootstrap", "%s", bootstrapText(m.Bootstrap))
	if f := m.Bootstrap.Failure; f != nil {
		line("Phase", "%s", f.Phase)
		line("Step", "%s", orDash(f.Action))
		line("Source", "%s", orDash(f.Step))
		line("Exit code", "%d", f.ExitCode)
		line("Cause", "%s", orDash(f.Cause))
	}
}

func payloadText(p *v1alpha1.PayloadStatus) string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf(", %d bytes of %s", p.Bytes, p.Format)
	if p.Envelope != "" {
		text += " as " + p.Envelope
	}
	return text
}

// bootstrapText returns the machine's report on one line.
func bootstrapText(b *v1alpha1.BootstrapStatus) string {
	text := b.State
	if b.Started != nil && b.Ended != nil {
		text += " after " + b.Ended.Sub(b.Started.Time).String()
	}
	if b.StepsTotal > 0 {
		text += fmt.Sprintf(", %d of %d steps", b.StepsDone, b.StepsTotal)
	}
	if b.Phase != "" && b.Failure == nil {
		text += ", in phase " + b.Phase
	}
	if !b.ReportTime.IsZero() {
		text += ", reported " + timeText(b.ReportTime)
	}
	if b.Version != "" {
		return text + ", by agent " + b.Version
	}
	return text
}

// printConditions prints the conditions of an object, whose name is empty for the config.
func printConditions(t *terminal.Table, object string, conditions []metav1.Condition) {
	if len(conditions) == 0 {
		return
	}
	if object != "" {
		t.Heading("Conditions of " + object)
	}
	t.Row("CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE")
	for _, c := range conditions {
		t.Row(c.Type, c.Status, orDash(c.Reason), orDash(timeText(c.LastTransitionTime)), orDash(c.Message))
	}
}

// timeText returns the time in RFC 3339, or empty if it is zero.
func timeText(t metav1.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
