package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
)

// The exit codes.
const (
	exitOK = iota
	exitFailed
	exitUsage
	exitFindings
)

// usageError is a mistake in the command line.
type usageError struct{ error }

// errFindings and errWarnings set the exit code after the findings have been printed.
var (
	errFindings = errors.New("there are findings of severity error")
	errWarnings = errors.New("there are warnings")
)

// Run executes a command line, which does not contain the program's name, and returns the exit code.
func Run(ctx context.Context, o Options, args []string) int {
	started := false
	root := rootCommand(o, &started)
	root.SetArgs(args)
	err := root.ExecuteContext(budget.NewContext(ctx, budget.New(budget.Default())))
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFailed
	case errors.Is(err, errWarnings):
		return exitFindings
	}
	fmt.Fprintf(o.Err, "machineadmctl: %v\n", err)
	var usage usageError
	if !started || errors.As(err, &usage) {
		fmt.Fprintln(o.Err, "Try 'machineadmctl --help'.")
		return exitUsage
	}
	return exitFailed
}

// rootCommand returns the program's commands. started is set when one of them starts: an error before that is wrong
// usage.
func rootCommand(o Options, started *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "machineadmctl",
		Short: "Render, validate and explain the bootstrap data of machines without a cluster",
		Long: `machineadmctl reads the manifests of a cluster and shows what its machines will
boot: the bootstrap data that the controller would publish, findings with file
and line, and the plan behind the data. It also encrypts machine configuration,
and shows why a machine of a running cluster did not become a node, and what a
control plane does next.`,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(o.In)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	root.AddCommand(renderCommand(o), validateCommand(o), explainCommand(o), convertCommand(o), osCommand(o),
		encryptCommand(o), decryptCommand(o), inspectCommand(o), statusCommand(o), planCommand(o), versionCommand(o))
	markStart(root, started)
	return root
}

// markStart makes the command and its subcommands set started.
func markStart(c *cobra.Command, started *bool) {
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		*started = true
		return run(c, args)
	}
	for _, sub := range c.Commands() {
		markStart(sub, started)
	}
}

// inputs are the flags of the commands that read manifests.
type inputs struct {
	files          []string
	machine        string
	format         string
	version        string
	infrastructure string
	profiles       profileFiles
	strict         bool
	target         targetFlags
	// content is that of the only file, if it has been read: the standard input can be read once.
	content []byte
}

func (i *inputs) register(c *cobra.Command, o Options) {
	f := c.Flags()
	f.StringArrayVarP(&i.files, "filename", "f", nil, "file with manifests, or - for the standard input; can be repeated")
	f.StringVar(&i.machine, "machine", "",
		"name of the Machine, its MachineDeployment, MachineSet, MachinePool or control plane; required if there are several")
	f.StringVar(&i.format, "format", "", "output format; overrides spec.format. One of: "+formats(o))
	f.StringVar(&i.version, "kubernetes-version", "", "Kubernetes version, such as v1.36.3; overrides that of the machine")
	f.StringVar(&i.infrastructure, "infrastructure", "",
		"kind of the infrastructure machine, such as AWSMachine; overrides that of the machine")
	i.profiles.register(c)
	f.BoolVar(&i.strict, "strict", false, "exit with code 3 if there are warnings")
	cobra.CheckErr(c.MarkFlagRequired("filename"))
}

func formats(o Options) string {
	var names []string
	for _, f := range append(o.Render.Formats(), configurationFormat) {
		names = append(names, string(f))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// read reads the manifests and the profiles.
func (i *inputs) read(ctx context.Context, o Options) (*producer, error) {
	if err := i.checkFormat(o); err != nil {
		return nil, err
	}
	profiles, err := i.profiles.read(ctx, o)
	if err != nil {
		return nil, err
	}
	in := o.In
	if i.content != nil && i.files[0] == "-" {
		in = bytes.NewReader(i.content)
	}
	objects, err := load(i.files, in)
	if err != nil {
		return nil, err
	}
	m, err := newManifests(objects)
	if err != nil {
		return nil, err
	}
	return &producer{options: o, inputs: i, manifests: m, profiles: profiles}, nil
}

func (i *inputs) checkFormat(o Options) error {
	if f := delivery.Format(i.format); f == "" || f == configurationFormat || slices.Contains(o.Render.Formats(), f) {
		return nil
	}
	return usageError{fmt.Errorf("--format %s: no such format; use one of %s", i.format, formats(o))}
}

// produce returns the result for the machine of --machine, or those for all machines.
func (i *inputs) produce(ctx context.Context, p *producer, allMachines bool) ([]result, error) {
	machines := p.manifests.machines
	if !allMachines {
		chosen, err := p.manifests.choose(i.machine)
		if err != nil {
			return nil, err
		}
		machines = []*machine{chosen}
	}
	var results []result
	for _, m := range machines {
		r, err := p.produce(ctx, m)
		if err != nil {
			return nil, fmt.Errorf("machine %s: %w", m.Name, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// exitError returns the error whose exit code the findings require.
func (i *inputs) exitError(findings []finding) error {
	switch {
	case count(findings, report.Error) > 0:
		return errFindings
	case i.strict && count(findings, report.Warning) > 0:
		return errWarnings
	default:
		return nil
	}
}

func versionCommand(o Options) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(o.Out, o.Version)
			return err
		},
	}
}
