// Package examples checks the examples and the completions of a program's commands.
package examples

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Program is a command line to check.
type Program struct {
	// New returns the commands without parsed flags.
	New func() *cobra.Command
	// FreeText lists the flags whose values no list contains, such as names and versions.
	FreeText []string
}

// Check checks that each command has an example, that each example parses, and that the values of each flag complete.
func Check(t *testing.T, p Program) {
	t.Helper()
	root := p.New()
	root.InitDefaultHelpCmd()
	visit(root, func(c *cobra.Command) {
		if c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, line := range commands(c.Example, root.Name()) {
			p.parse(t, line)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) { p.complete(t, c, f) })
	})
}

// visit calls do for each command of the program, except those that cobra adds.
func visit(c *cobra.Command, do func(*cobra.Command)) {
	if c.Name() == "help" || c.Name() == "completion" {
		return
	}
	do(c)
	for _, sub := range c.Commands() {
		visit(sub, do)
	}
}

// commands returns the arguments of each call of the program in an example, which may be part of a pipe.
func commands(example, program string) [][]string {
	var found [][]string
	text := strings.NewReplacer("\\\n", " ", "|\n", "| ").Replace(example)
	for _, line := range strings.Split(text, "\n") {
		for _, part := range strings.Split(line, "|") {
			words := strings.Fields(part)
			if i := slices.Index(words, ">"); i >= 0 {
				words = words[:i]
			}
			if len(words) > 0 && words[0] == program {
				found = append(found, words[1:])
			}
		}
	}
	return found
}

// parse parses a command line without running the command.
func (p Program) parse(t *testing.T, args []string) {
	t.Helper()
	c, rest, err := p.New().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	for _, check := range []func() error{
		func() error { return c.ValidateArgs(c.Flags().Args()) }, c.ValidateRequiredFlags, c.ValidateFlagGroups,
	} {
		if err == nil {
			err = check()
		}
	}
	if err != nil {
		t.Errorf("example %q: %v", args, err)
	}
}

// complete checks that the values of a flag complete: by a function, as file names, or not at all.
func (p Program) complete(t *testing.T, c *cobra.Command, f *pflag.Flag) {
	t.Helper()
	_, registered := c.GetFlagCompletionFunc(f.Name)
	if f.NoOptDefVal != "" || registered || len(f.Annotations) > 0 || slices.Contains(p.FreeText, f.Name) {
		return
	}
	t.Errorf("%s: the values of --%s do not complete", c.CommandPath(), f.Name)
}
