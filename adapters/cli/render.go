package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
)

func renderCommand(o Options) *cobra.Command {
	var in inputs
	var out output
	c := &cobra.Command{
		Use:   "render -f FILE",
		Short: "Print the bootstrap data of a machine",
		Long: `Reads manifests, such as the output of "clusterctl generate cluster", and prints
the bootstrap data of a machine as the controller would store it in the Secret.
Findings are printed to the standard error.

Certificates and the endpoint are read from the manifests. Placeholders replace
those that are missing, and always the token; findings name them. The output
contains the secrets of the manifests.

--os, --os-version and --architecture replace the operating system of the
manifests. --pretty prints the contents of files decoded. -o yaml prints the
Secret with the data.

--format machineadm prints the machine configuration that the agent reads. The
command also reads such a configuration in place of manifests, and requires --os
then.`,
		Example: `  machineadmctl render -f cluster.yaml --machine worker-0
  clusterctl generate cluster demo --from template.yaml | machineadmctl render -f - --all out/
  machineadmctl render -f cluster.yaml --machine worker-0 --os talos --pretty
  machineadmctl render -k overlays/prod --machine worker-0 -o yaml --output-file secret.yaml
  machineadmctl render -f cluster.yaml --format machineadm > machineadm_config.yaml
  machineadmctl render -f machineadm_config.yaml --os flatcar`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	out.register(c)
	c.MarkFlagsMutuallyExclusive("machine", "all")
	c.RunE = func(c *cobra.Command, _ []string) error { return in.render(c.Context(), o, out) }
	return c
}

func (i *inputs) render(ctx context.Context, o Options, out output) error {
	if err := errors.Join(i.check(o), out.check()); err != nil {
		return err
	}
	all, err := i.sources.read(ctx, o.In)
	if err != nil {
		return err
	}
	if isConfiguration(all) {
		return i.renderConfiguration(ctx, o, all[0], out)
	}
	p, err := i.parse(ctx, o, all)
	if err != nil {
		return err
	}
	results, err := i.produce(ctx, p, out.directory != "")
	if err == nil {
		err = haveDistinctNames(results)
	}
	if err != nil {
		return err
	}
	return p.finish(results, out)
}

// finish prints the findings, and the data of the machines without errors.
func (p *producer) finish(results []result, out output) error {
	findings := locateAll(results)
	if !p.inputs.quiet {
		for _, f := range p.manifests.unused() {
			fmt.Fprintf(p.options.Err, "%s: %s\n", f.Severity, terminal.Line(f.Message))
		}
	}
	printFindings(p.options.Err, p.inputs.visible(findings))
	for _, r := range results {
		if r.payload.Data.IsZero() {
			continue
		}
		if err := out.save(p.options, r); err != nil {
			return err
		}
	}
	return p.inputs.exitError(findings)
}
