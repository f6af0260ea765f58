package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
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
	o = o.forReaders()
	root := rootCommand(o, &started)
	root.SetArgs(args)
	err := root.ExecuteContext(budget.NewContext(ctx, budget.New(budget.Default())))
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings), errors.Is(err, errDifferent):
		return exitFailed
	case errors.Is(err, errWarnings):
		return exitFindings
	}
	// A name in it can contain lines that imitate other messages, or commands of a program that reads the log.
	fmt.Fprintf(o.Err, "machineadmctl: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
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
		Version: o.Version.Version, SilenceErrors: true, SilenceUsage: true,
		Example: `  machineadmctl render -f cluster.yaml --machine worker-0
  machineadmctl validate -f cluster.yaml`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		// The flags of a command that does not exist are not known.
		if unknown := knownCommand(root, c.Flags().Args()); c == root && unknown != nil {
			return unknown
		}
		return err
	})
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(o.In)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	root.AddCommand(
		initCommand(o),
		renderCommand(o),
		validateCommand(o),
		diffCommand(o),
		explainCommand(o),
		convertCommand(o),
		osCommand(o),
		encryptCommand(o),
		decryptCommand(o),
		inspectCommand(o),
		statusCommand(o),
		checkMoveCommand(o),
		planCommand(o),
		versionCommand(o),
	)
	markStart(root, started)
	return root
}

// knownCommand refuses arguments of the root, which are commands that do not exist.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return fmt.Errorf("unknown command %q; %s", args[0],
		report.DidYouMean(args[0], names, "use one of "+strings.Join(names, ", ")))
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
	sources        sources
	machine        string
	format         string
	version        string
	infrastructure string
	profiles       profileFiles
	strict, quiet  bool
	// allowMissing replaces missing Secrets and ConfigMaps by empty ones.
	allowMissing bool
	target       targetFlags
}

func (i *inputs) register(c *cobra.Command, o Options) {
	f := c.Flags()
	i.sources.register(c, "manifests")
	f.StringVar(&i.machine, "machine", "",
		"name of the Machine, its MachineDeployment, MachineSet, MachinePool or control plane; required if there are several"+
			"; can be KIND/NAME or KIND/NAMESPACE/NAME")
	f.StringVar(&i.format, "format", "", "output format; overrides spec.format. One of: "+formats(o))
	f.StringVar(&i.version, "kubernetes-version", "", "Kubernetes version, such as v1.36.3; overrides that of the machine")
	f.StringVar(&i.infrastructure, "infrastructure", "",
		"kind of the infrastructure machine, such as AWSMachine; overrides that of the machine")
	i.profiles.register(c)
	i.target.register(c, o, &i.profiles)
	f.BoolVar(&i.strict, "strict", false, "exit with code 3 if there are warnings")
	f.BoolVarP(&i.quiet, "quiet", "q", false, "print no findings of severity info")
	i.sources.require(c)
	completeFlag(c, "format", formatNames(o)...)
	completeFlag(c, "infrastructure", infrastructure.Kinds()...)
	i.completeMachines(c)
}

func formatNames(o Options) []string {
	var names []string
	for _, f := range append(o.Render.Formats(), configurationFormat) {
		names = append(names, string(f))
	}
	slices.Sort(names)
	return names
}

func formats(o Options) string { return strings.Join(formatNames(o), ", ") }

// read reads the manifests and the profiles.
func (i *inputs) read(ctx context.Context, o Options) (*producer, error) {
	if err := i.check(o); err != nil {
		return nil, err
	}
	all, err := i.sources.read(ctx, o.In)
	if err != nil {
		return nil, err
	}
	return i.parse(ctx, o, all)
}

// parse reads the objects of manifests, and the profiles.
func (i *inputs) parse(ctx context.Context, o Options, all []source) (*producer, error) {
	profiles, err := i.profiles.read(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := i.target.check(ctx, o, i.profiles); err != nil {
		return nil, err
	}
	objects, err := load(all)
	if err != nil {
		return nil, err
	}
	m, err := newManifests(objects)
	if err != nil {
		return nil, err
	}
	return &producer{options: o, inputs: i, manifests: m, profiles: profiles}, nil
}

// check checks the values of flags.
func (i *inputs) check(o Options) error {
	if err := checkVersion(i.version); i.version != "" && err != nil {
		return err
	}
	if a := i.target.architecture; a != "" && !slices.Contains(architectureNames(), a) {
		return usageError{fmt.Errorf("--architecture %s: no such architecture; use %s", a, alternatives(architectureNames()))}
	}
	if f := delivery.Format(i.format); f == "" || f == configurationFormat || slices.Contains(o.Render.Formats(), f) {
		return nil
	}
	return usageError{fmt.Errorf("--format %s: no such format; %s", i.format,
		report.DidYouMean(i.format, formatNames(o), "use one of "+formats(o)))}
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
	for _, m := range machines {
		m.target = i.target
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

// haveDistinctNames returns an error if two machines have the same name, because files and differences are named after
// machines.
func haveDistinctNames(results []result) error {
	names := map[string]*machine{}
	for _, r := range results {
		m := r.machine
		if other := names[m.Name]; other != nil {
			return usageError{fmt.Errorf("%s and %s have the same name; give the manifests of one of them",
				terminal.Line(other.origin().String()), terminal.Line(m.origin().String()))}
		}
		names[m.Name] = m
	}
	return nil
}

// visible returns the findings to print: with --quiet none of severity info.
func (i *inputs) visible(findings []finding) []finding {
	if !i.quiet {
		return findings
	}
	return slices.DeleteFunc(slices.Clone(findings), func(f finding) bool { return f.Severity == report.Info.String() })
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
	var format string
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Example: `  machineadmctl version
  machineadmctl version -o json`,
		RunE: func(*cobra.Command, []string) error {
			if format != "" {
				return encode(o.Out, format, o.Version)
			}
			_, err := fmt.Fprintln(o.Out, o.Version.Version)
			if err == nil && o.Version.FIPSModule != "" {
				_, err = fmt.Fprintln(o.Out, "Go Cryptographic Module", o.Version.FIPSModule)
			}
			return err
		},
	}
	registerOutput(c, &format, "the version alone", "json", "yaml")
	return c
}
