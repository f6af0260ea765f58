package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// paint colours what is good and what is bad, if the terminal shows colours.
func paint(o Options, status, text string) string {
	const bad, good, unsure, plain = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"
	switch {
	case !o.Color:
		return text
	case status == "False":
		return bad + text + plain
	case status == "True":
		return good + text + plain
	default:
		return unsure + text + plain
	}
}

// oneLine puts lines one behind the other, without what a terminal would take for orders.
func oneLine(text string) string { return strings.Join(strings.Fields(printable(text)), " ") }

// printable leaves out control characters but for line ends.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\t", " "))
}

// tellLines tells of each machine on one line. Columns are aligned before colours come in.
func tellLines(o Options, machines []machineStatus) error {
	if len(machines) == 0 {
		_, err := fmt.Fprintln(o.Err, "there are no machines")
		return err
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAMESPACE\tNAME\tREADY\tBOOTSTRAPPED\tSUMMARY")
	for _, m := range machines {
		ready, booted := m.condition("Ready"), m.condition("BootstrapSucceeded")
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Namespace, m.Name, orDash(ready.Status), orDash(booted.Status), m.Summary)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	lines := strings.SplitAfter(text.String(), "\n")
	for i, m := range machines {
		lines[i+1] = strings.Replace(lines[i+1], m.Summary, paint(o, m.tone(), m.Summary), 1)
	}
	_, err := io.WriteString(o.Out, strings.Join(lines, ""))
	return err
}

// tone is the status that the summary has.
func (m machineStatus) tone() string {
	ready := m.condition("Ready").Status
	if ready == "False" || m.Node != "" {
		return ready
	}
	return m.condition("BootstrapSucceeded").Status
}

// tellAll tells all that is known of the machines.
func tellAll(o Options, machines []machineStatus) error {
	for i, m := range machines {
		if i > 0 {
			fmt.Fprintln(o.Out)
		}
		fmt.Fprintf(o.Out, "%s/%s: %s\n", m.Namespace, m.Name, paint(o, m.tone(), m.Summary))
		w := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', 0)
		m.facts(w)
		if err := w.Flush(); err != nil {
			return err
		}
		if b := m.Bootstrap; b != nil && b.Failure != nil && b.Failure.Log != "" {
			fmt.Fprintln(o.Out, "  Log")
			for _, line := range strings.Split(strings.TrimSpace(printable(b.Failure.Log)), "\n") {
				fmt.Fprintln(o.Out, "    | "+line)
			}
		}
		m.conditions(w)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// facts writes a line for each thing that is known.
func (m machineStatus) facts(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %s\t%s\n", name, oneLine(fmt.Sprintf(format, args...)))
	}
	if m.Machine != "" {
		line("Machine", "%s %s", m.Machine, m.Version)
	}
	if m.Node != "" {
		line("Node", "%s", m.Node)
	}
	if m.DataSecret != "" {
		line("Data", "Secret %s%s", m.DataSecret, m.Payload.text())
	}
	if m.Bootstrap == nil {
		if m.reports {
			line("Bootstrap", "nothing was reported")
		}
		return
	}
	line("Bootstrap", "%s", m.Bootstrap.text())
	if f := m.Bootstrap.Failure; f != nil {
		line("Phase", "%s", f.Phase)
		line("Step", "%s", orDash(f.Action))
		line("Written in", "%s", orDash(f.Document))
		line("Exit code", "%d", f.ExitCode)
		line("Cause", "%s", orDash(f.Cause))
	}
}

func (p *payloadStatus) text() string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf(", %d bytes of %s", p.Bytes, p.Format)
	if p.Envelope != "" {
		text += " as " + p.Envelope
	}
	return text
}

// text says on one line what was reported.
func (b *bootstrapTold) text() string {
	text := b.State
	begun, errBegun := time.Parse(time.RFC3339, b.StartTime)
	ended, errEnded := time.Parse(time.RFC3339, b.EndTime)
	if errBegun == nil && errEnded == nil {
		text += " after " + ended.Sub(begun).String()
	}
	if b.Steps > 0 {
		text += fmt.Sprintf(", %d of %d steps", b.StepsDone, b.Steps)
	}
	if b.Phase != "" && b.Failure == nil {
		text += ", in phase " + b.Phase
	}
	if b.ReportTime != "" {
		text += ", reported " + b.ReportTime
	}
	if b.AgentVersion != "" {
		return text + ", by agent " + b.AgentVersion
	}
	return text
}

func (m machineStatus) conditions(w io.Writer) {
	if len(m.Conditions) == 0 {
		return
	}
	fmt.Fprintln(w, "  CONDITION\tSTATUS\tREASON\tSINCE\tMESSAGE")
	for _, c := range m.Conditions {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", c.Type, c.Status, orDash(c.Reason), orDash(c.Since),
			orDash(oneLine(c.Message)))
	}
}
