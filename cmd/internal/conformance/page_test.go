package conformance_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports/portstest"
)

const head = `# Formats

This page shows how each format supports each document and each operation. The conformance suite of the renderers
generates it from the renderers' output (` + "`UPDATE=1 go test ./cmd/internal/conformance`" + `), and a test compares
them.

- **native**: the format supports the document itself.
- **format**: the document becomes operations, and the format has its own feature for each of them.
- **program**: the bootstrap program applies it, which the format starts last.
- **format, program**: a feature of the format applies some of it, and the bootstrap program the rest.
- **elsewhere**: the output of another document contains it. For example, the node's document` +
	` becomes kubeadm's configuration,
  which contains the control plane's settings.
- **nothing**: nothing is necessary on that system.
- A number: an error that names the field refuses it. The reasons are listed below.

`

// page returns the table of all formats.
func page(columns []column, bootable map[string]bool) []byte {
	var b strings.Builder
	b.WriteString(head)
	var reasons []string
	b.WriteString("## The formats\n\n| format | shown for | boots machines |\n| --- | --- | --- |\n")
	for _, c := range columns {
		boots := map[bool]string{true: "yes", false: "no"}[bootable[c.format]]
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", c.format, c.format, c.target.Profile.Name, boots)
	}
	for _, part := range []struct {
		title string
		rows  []string
	}{{"Documents", names(columns, portstest.Documents)}, {"Operations", names(columns, portstest.Actions)}} {
		fmt.Fprintf(&b, "\n## %s\n\n| |", part.title)
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", c.format)
		}
		b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(columns)) + "\n")
		for _, row := range part.rows {
			fmt.Fprintf(&b, "| %s |", row)
			for _, c := range columns {
				fmt.Fprintf(&b, " %s |", cell(c.verdicts[row], &reasons))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("\n## Why not\n\n")
	for i, r := range reasons {
		fmt.Fprintf(&b, "%d. %s\n", i+1, r)
	}
	return []byte(b.String())
}

// names returns the names of the samples, which are the same for every target.
func names(columns []column, samples func(osprofile.Target) []portstest.Sample) []string {
	var all []string
	for _, c := range columns {
		for _, s := range samples(c.target) {
			if !slices.Contains(all, s.Name) {
				all = append(all, s.Name)
			}
		}
	}
	return all
}

func cell(v portstest.RenderResult, reasons *[]string) string {
	if !v.Rendered() {
		return refusal(v, reasons)
	}
	if v.Native {
		return "native"
	}
	own, program := false, false
	for _, place := range v.Places {
		inProgram := slices.ContainsFunc(v.Program, func(p string) bool { return element(p) == element(place) })
		own, program = own || !inProgram, program || inProgram
	}
	switch {
	case own && program:
		return "format, program"
	case own:
		return "format"
	case program:
		return "program"
	case v.Elsewhere:
		return "elsewhere"
	default:
		return "nothing"
	}
}

// element returns the place without the comment for people that follows a colon.
func element(place string) string {
	before, _, _ := strings.Cut(place, ": ")
	return before
}

func refusal(v portstest.RenderResult, reasons *[]string) string {
	reason := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(v.Refused.Message)
	if v.Refused.Remedy != "" {
		reason += ": " + v.Refused.Remedy
	}
	i := slices.Index(*reasons, reason)
	if i < 0 {
		*reasons, i = append(*reasons, reason), len(*reasons)
	}
	return fmt.Sprint(i + 1)
}
