package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client"

	controlplanev1 "github.com/machineadm/machineadm/adapters/kubernetes/api/controlplane/v1alpha1"
)

// registerOutput registers --output. what is printed by default.
func registerOutput(c *cobra.Command, format *string, what string, formats ...string) {
	usage := fmt.Sprintf("output format: %s; %s by default", alternatives(formats), what)
	c.Flags().StringVarP(format, "output", "o", "", usage)
	limitFormat(c, "output", format, formats...)
}

// limitFormat makes the command refuse other values of a flag than the formats, and completes them.
func limitFormat(c *cobra.Command, flag string, format *string, formats ...string) {
	completeFlag(c, flag, formats...)
	checkBefore(c, func() error { return checkFormat(flag, *format, formats) })
}

// checkBefore makes the command check its flags before it runs, after earlier checks.
func checkBefore(c *cobra.Command, check func() error) {
	earlier := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if earlier != nil {
			if err := earlier(c, args); err != nil {
				return err
			}
		}
		return check()
	}
}

// completeFlag registers the values of a flag for shell completion.
func completeFlag(c *cobra.Command, flag string, values ...string) {
	complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	cobra.CheckErr(c.RegisterFlagCompletionFunc(flag, complete))
}

// completeSystems registers the IDs of operating systems for shell completion of a flag.
func completeSystems(c *cobra.Command, flag string, o Options, profiles *profileFiles) {
	complete := func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return completions(c.Context(), o, *profiles), cobra.ShellCompDirectiveNoFileComp
	}
	cobra.CheckErr(c.RegisterFlagCompletionFunc(flag, complete))
}

// completeMachines registers the names of the machines in the manifests for shell completion of --machine.
func (i *inputs) completeMachines(c *cobra.Command) {
	complete := func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return i.machineNames(c), cobra.ShellCompDirectiveNoFileComp
	}
	cobra.CheckErr(c.RegisterFlagCompletionFunc("machine", complete))
}

// machineNames returns the names of the machines in the manifests, or nil if they cannot be read. A completion does not
// read the standard input, which is the user's.
func (i *inputs) machineNames(c *cobra.Command) []string {
	if slices.Contains(i.sources.files, "-") {
		return nil
	}
	all, err := i.sources.read(c.Context(), strings.NewReader(""))
	if err != nil {
		return nil
	}
	objects, err := load(all)
	if err != nil {
		return nil
	}
	m, err := newManifests(objects)
	if err != nil {
		return nil
	}
	var names []string
	for _, machine := range m.machines {
		names = append(names, machine.Name)
	}
	return names
}

// completionTimeout is the limit of the time for a completion that asks a cluster.
const completionTimeout = 5 * time.Second

// completeNames returns the names of the machines and configs of the cluster or the files.
func (s *statusFlags) completeNames(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || slices.Contains(s.sources.files, "-") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(c.Context(), completionTimeout)
	defer cancel()
	objects, err := s.objects(ctx, Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := statuses(slices.Values(objects), s.connection.namespace)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, m := range list {
		names = append(names, cmp.Or(m.Machine, m.Name))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeNames returns what returns the names of the control planes of the cluster or the files.
func (p *planFlags) completeNames(o Options) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || slices.Contains(p.sources.files, "-") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(c.Context(), completionTimeout)
		defer cancel()
		var names []string
		if source, err := p.source(ctx, o); err == nil {
			var list controlplanev1.MachineadmControlPlaneList
			if source.client.List(ctx, &list, client.InNamespace(source.namespace)) == nil {
				for i := range list.Items {
					names = append(names, list.Items[i].Name)
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFiles makes the values of flags complete as names of files.
func completeFiles(c *cobra.Command, flags ...string) {
	for _, f := range flags {
		cobra.CheckErr(c.MarkFlagFilename(f))
	}
}
