package nodecli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/app/agent"
)

// errDifferent makes diff exit with ExitDifferent.
var errDifferent = errors.New("the machine differs from the configuration")

// diffReport is what -o prints of the differences. Fields are added; none changes its meaning within a version.
type diffReport struct {
	APIVersion  string       `json:"apiVersion"`
	Kind        string       `json:"kind"`
	Findings    []finding    `json:"findings"`
	Differences []difference `json:"differences"`
}

// difference is a step that would change the machine. Lines are those of a difference in the form of diff -u.
type difference struct {
	Phase    string   `json:"phase"`
	Action   string   `json:"action"`
	Document string   `json:"document"`
	Lines    []string `json:"lines"`
}

func (c *cli) diff() *cobra.Command {
	cmd := &cobra.Command{
		Use: "diff", Short: "Show what apply would change", Args: cobra.NoArgs,
		Long: "diff prints what apply would change, and changes nothing. The exit code is 0 if there are no differences,\n" +
			"1 if there are differences, and 2 if diff fails.",
		Example: "  machineadm diff --path config.yaml\n  machineadm diff --path config.yaml -o json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return diffFailed(c.runDiff(cmd.Context())) },
	}
	c.configFlag(cmd)
	c.phaseFlags(cmd)
	c.outputFlag(cmd)
	return cmd
}

func (c *cli) runDiff(ctx context.Context) error {
	if err := c.formatted(); err != nil {
		return err
	}
	r, err := c.request(agent.Provision)
	if err != nil {
		return err
	}
	return c.with(nil, func(m *Machine) error {
		found, err := c.printDifferences(ctx, m, r)
		if err == nil && found {
			return errDifferent
		}
		return err
	})
}

// diffFailed returns an error with the exit code of a diff that fails. ExitFailed means that there are differences.
func diffFailed(err error) error {
	var coded failure
	if errors.As(err, &coded) && coded.code == ExitFailed {
		return failure{coded.error, ExitUsage}
	}
	return err
}

// printDifferences prints the differences, one step after the other, and returns whether there are any.
func (c *cli) printDifferences(ctx context.Context, m *Machine, r agent.Request) (bool, error) {
	differences, prepared, err := m.Diff(ctx, r)
	if err == nil && prepared.Findings.HasErrors() {
		err = c.configurationError(agent.ErrFindings)
	}
	if c.output == "" || err != nil {
		c.printFindings(prepared.Findings)
	}
	if err != nil {
		return false, failed(err)
	}
	if c.output != "" {
		return len(differences) > 0, failed(c.print(diffed(prepared, differences)))
	}
	for _, d := range differences {
		fmt.Fprintf(c.Out, "# %s: %s (%s)\n", d.Phase, d.Do.Summary(), d.Source)
		for _, line := range d.Lines {
			fmt.Fprintln(c.Out, line)
		}
	}
	return len(differences) > 0, nil
}

func diffed(p agent.Prepared, differences []agent.Difference) diffReport {
	r := diffReport{
		APIVersion: apiVersion, Kind: "DiffReport", Findings: findings(p.Findings), Differences: []difference{},
	}
	for _, d := range differences {
		r.Differences = append(r.Differences,
			difference{d.Phase.String(), d.Do.Summary(), fmt.Sprint(d.Source), d.Lines})
	}
	return r
}
