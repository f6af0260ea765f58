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
		Short: "Check manifests and print findings with file, line and column",
		Long: `Checks the objects as the API server does, by the schemas and rules of their
definitions and by the types of Cluster API. Then it renders the bootstrap data of
all machines, or of the one of --machine, and prints the findings in place of the
data. The exit code is 0 if there are no errors, 1 if there are errors, and 3 if
there are warnings and --strict is set.

--allow-missing is for manifests without Secrets, such as those of a repository:
references to Secrets and ConfigMaps that are not among the manifests are findings
of severity info.`,
		Example: `  machineadmctl validate -f cluster.yaml --strict
  machineadmctl validate -R -f clusters/ --allow-missing --quiet
  clusterctl generate cluster demo --from template.yaml | machineadmctl validate -f - -o json`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	c.Flags().BoolVar(&in.allowMissing, "allow-missing", false,
		"accept references to Secrets and ConfigMaps that are not among the manifests")
	registerOutput(c, &output, "text", "json", "yaml")
	c.RunE = func(c *cobra.Command, _ []string) error {
		p, err := in.read(c.Context(), o)
		if err != nil {
			return err
		}
		results, err := in.produce(c.Context(), p, in.machine == "")
		if err != nil {
			return err
		}
		findings := locateAll(results)
		admitted, err := p.manifests.admit(c.Context(), findings)
		if err != nil {
			return err
		}
		return in.printResult(o, append(admitted, findings...), len(results), output)
	}
	return c
}

// number returns "1 error" or "2 errors".
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// printResult prints the findings and their number.
func (i *inputs) printResult(o Options, findings []finding, machines int, output string) error {
	if output != "" {
		if findings == nil {
			findings = []finding{}
		}
		if err := encode(o.Out, output, limit(i.visible(findings))); err != nil {
			return err
		}
		return i.exitError(findings)
	}
	printFindings(o.Out, i.visible(findings))
	_, err := fmt.Fprintf(o.Out, "%s: %s, %s\n", number(machines, "machine"),
		number(count(findings, report.Error), "error"), number(count(findings, report.Warning), "warning"))
	if err != nil {
		return err
	}
	return i.exitError(findings)
}
