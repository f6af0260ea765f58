// Package flagpage writes the reference of a program's flags and commands from their definitions.
package flagpage

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/programs"
)

// Check compares the page docs/reference/PROGRAM.md with the text. UPDATE=1 rewrites it.
func Check(t *testing.T, program, text string) {
	t.Helper()
	const origin = "<!-- A test of the program generates this page; UPDATE=1 rewrites it. -->"
	page := fmt.Sprintf("# %s reference\n\n%s\n\n%s", program, origin, text)
	golden.File(t, filepath.Join(programs.Root(), "docs/reference", program+".md"), []byte(page))
}

// Flags returns the table of the flags, in the order of their names. Flags of test programs are left out.
func Flags(fs *pflag.FlagSet) string {
	var b strings.Builder
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || strings.HasPrefix(f.Name, "test.") {
			return
		}
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		value := "–"
		if f.DefValue != "" && f.DefValue != "[]" {
			value = "`" + f.DefValue + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, f.Value.Type(), value, cell(f.Usage))
	})
	if b.Len() == 0 {
		return ""
	}
	return "| flag | type | default | meaning |\n|---|---|---|---|\n" + b.String()
}

// cell returns the text for a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("\n", " ", "|", "\\|", "<", "&lt;").Replace(text)
}

// Commands returns a section for each command of the program, except those that cobra adds.
func Commands(root *cobra.Command) string {
	var b strings.Builder
	write(&b, root)
	return b.String()
}

func write(b *strings.Builder, c *cobra.Command) {
	if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
		return
	}
	if c.HasParent() {
		fmt.Fprintf(b, "\n## %s\n\n", c.CommandPath())
	}
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(b, "```text\n%s\n\nUsage: %s\n", text, c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n%s\n", c.Example)
	}
	b.WriteString("```\n")
	if table := Flags(c.LocalFlags()); table != "" {
		b.WriteString("\n" + table)
	}
	for _, sub := range c.Commands() {
		write(b, sub)
	}
}
