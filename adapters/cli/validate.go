package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/domain/report"
)

func validateCommand(o Options) *cobra.Command {
	var in inputs
	var output string
	c := &cobra.Command{
		Use:   "validate -f FILE",
		Short: "Print what is wrong with manifests, and where",
		Long: `Makes the bootstrap data of every machine as render does, and prints the findings in place of the data, with file, line
and column. The exit code is 0 if all is well, 1 if there are errors, and 3 if there are warnings and --strict is given.`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	c.Flags().StringVarP(&output, "output", "o", "", "json or yaml in place of text")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := checkOutput(output); err != nil {
			return err
		}
		w, err := in.read(o)
		if err != nil {
			return err
		}
		made, err := in.produce(c.Context(), w, in.machine == "")
		if err != nil {
			return err
		}
		return in.judge(o, all(made), len(made), output)
	}
	return c
}

// judge prints the findings and their number.
func (i *inputs) judge(o Options, findings []located, machines int, output string) error {
	if output != "" {
		if findings == nil {
			findings = []located{}
		}
		if err := encode(o.Out, output, shown(findings)); err != nil {
			return err
		}
		return i.verdict(findings)
	}
	write(o.Out, findings)
	_, err := fmt.Fprintf(o.Out, "%d machines: %d errors, %d warnings\n", machines, count(findings, report.Error),
		count(findings, report.Warning))
	if err != nil {
		return err
	}
	return i.verdict(findings)
}
