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

// errFindings means that what is wrong has been said already.
var (
	errFindings = errors.New("the manifests have mistakes")
	errWarnings = errors.New("there are warnings")
)

// Run runs the program with its arguments, without its name, and returns the exit code.
func Run(ctx context.Context, o Options, args []string) int {
	started := false
	root := command(o, &started)
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

// command returns the program's commands. Whatever fails before one of them starts is wrong usage.
func command(o Options, started *bool) *cobra.Command {
	root := &cobra.Command{
		Use:           "machineadmctl",
		Short:         "Say what a machine of a cluster boots, without a cluster",
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(o.In)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	root.AddCommand(renderCommand(o), validateCommand(o), explainCommand(o), osCommand(o), encryptCommand(o),
		decryptCommand(o), inspectCommand(o), statusCommand(o),
		versionCommand(o))
	notice(root, started)
	return root
}

// notice has the command, and all below it, note that they started.
func notice(c *cobra.Command, started *bool) {
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		*started = true
		return run(c, args)
	}
	for _, below := range c.Commands() {
		notice(below, started)
	}
}

// inputs are the flags of every command that reads manifests.
type inputs struct {
	files   []string
	machine string
	format  string
	version string
	// infrastructure is a kind.
	infrastructure string
	profiles       profileFiles
	strict         bool
	os             machineOS
	// content is what the only file holds, once it was read: the standard input is read once.
	content []byte
}

func (i *inputs) register(c *cobra.Command, o Options) {
	f := c.Flags()
	f.StringArrayVarP(&i.files, "filename", "f", nil, "file with manifests, - for the standard input; may be repeated")
	f.StringVar(&i.machine, "machine", "", "name of the Machine, MachineDeployment, MachineSet or MachinePool")
	f.StringVar(&i.format, "format", "", "output format in place of the manifests' own: "+formats(o))
	f.StringVar(&i.version, "kubernetes-version", "",
		"version of Kubernetes in place of the machine's own, such as v1.36.3")
	f.StringVar(&i.infrastructure, "infrastructure", "",
		"kind of the infrastructure object in place of the machine's own, such as AWSMachine")
	i.profiles.register(c)
	f.BoolVar(&i.strict, "strict", false, "exit with 3 if there are warnings")
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

// read reads the manifests.
func (i *inputs) read(o Options) (*world, error) {
	if err := i.checkFormat(o); err != nil {
		return nil, err
	}
	profiles, err := i.profiles.read(o)
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
	m, err := understand(objects)
	if err != nil {
		return nil, err
	}
	return &world{
		options: o, manifests: m, format: delivery.Format(i.format), version: i.version,
		infrastructure: i.infrastructure, profiles: profiles,
	}, nil
}

func (i *inputs) checkFormat(o Options) error {
	if f := delivery.Format(i.format); f == "" || f == configurationFormat || slices.Contains(o.Render.Formats(), f) {
		return nil
	}
	return usageError{fmt.Errorf("--format %s: there are %s", i.format, formats(o))}
}

// produce makes the data of the chosen machine, or of all machines.
func (i *inputs) produce(ctx context.Context, w *world, every bool) ([]produced, error) {
	machines := w.manifests.machines
	if !every {
		chosen, err := w.manifests.choose(i.machine)
		if err != nil {
			return nil, err
		}
		machines = []*aMachine{chosen}
	}
	var made []produced
	for _, m := range machines {
		p, err := w.produce(ctx, m)
		if err != nil {
			return nil, fmt.Errorf("machine %s: %w", m.name, err)
		}
		made = append(made, p)
	}
	return made, nil
}

// verdict says what the findings mean for the exit code.
func (i *inputs) verdict(findings []located) error {
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
