package conformance_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/ports/portstest"
)

const head = `# Formats

What each format says of each document and each operation. This page is made by the conformance suite of the renderers from what
they do (` + "`UPDATE=1 go test ./cmd/internal/conformance`" + `), and a test holds it to that.

- **native**: the format says the document itself.
- **words**: the document becomes operations, and the format says each of them in its own words.
- **program**: the bootstrap program does it, which the format starts last.
- **words, program**: the one for some of it, the other for the rest.
- **elsewhere**: what becomes of another document holds it, as kubeadm's configuration, which the node's document becomes, holds the
  control plane's settings.
- **nothing**: there is nothing to do on that system.
- A number: it is refused, by an error that names the field. The reasons stand below.

`

// page returns the table of all formats.
func page(columns []column, bootable map[string]bool) []byte {
	var b strings.Builder
	b.WriteString(head)
	var reasons []string
	b.WriteString("## The formats\n\n| format | shown for | boots machines |\n| --- | --- | --- |\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", c.format, c.format, c.target.Profile.Name, map[bool]string{true: "yes", false: "no"}[bootable[c.format]])
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

func cell(v portstest.Verdict, reasons *[]string) string {
	if !v.Held() {
		return refusal(v, reasons)
	}
	if v.Native {
		return "native"
	}
	words, program := false, false
	for _, place := range v.Says {
		inProgram := slices.ContainsFunc(v.Program, func(p string) bool { return element(p) == element(place) })
		words, program = words || !inProgram, program || inProgram
	}
	switch {
	case words && program:
		return "words, program"
	case words:
		return "words"
	case program:
		return "program"
	case v.Elsewhere:
		return "elsewhere"
	default:
		return "nothing"
	}
}

// element leaves out what a place says for people, behind a colon.
func element(place string) string {
	before, _, _ := strings.Cut(place, ": ")
	return before
}

func refusal(v portstest.Verdict, reasons *[]string) string {
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
