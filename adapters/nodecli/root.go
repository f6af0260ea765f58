// Package nodecli implements the commands of machineadm, the agent.
package nodecli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/status"
	"github.com/machineadm/machineadm/ports"
)

// The exit codes.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
	// ExitDifferent means that diff found differences. If diff fails, it exits with ExitUsage, as kubectl's diff does.
	ExitDifferent = 1
	// ExitStopped means that a run was stopped, for example by a shutdown, and has not failed. It is the exit code of
	// shells for a program that SIGTERM ended.
	ExitStopped = 143
)

// wholeMachine is the default root directory: the agent works on this machine.
const wholeMachine = "/"

// Userdata contains the paths of the files that userdata writes for the agent.
type Userdata struct {
	// Configuration is the machine configuration, and the default of --path.
	Configuration string
	// Report contains the address and the credential for reports, or is empty if the machine does not report.
	Report string
	// Drive is the directory of the drive of paths on Windows. Default: the drive of this machine.
	Drive string
}

// Linux returns the paths on Linux.
func Linux() Userdata {
	return Userdata{Configuration: delivery.ConfigurationPath, Report: delivery.ReportPath}
}

// Windows returns the paths on Windows.
func Windows() Userdata { return Userdata{Configuration: delivery.WindowsConfigurationPath} }

// Machine contains the service and the adapters for a machine.
type Machine struct {
	*agent.Service
	// Status returns the content of the status file of the last run, or fs.ErrNotExist.
	Status func() ([]byte, error)
	// StatusReader reads that file.
	StatusReader ports.StatusReader
	// Lock prevents changes by other agents until Close. It fails if another agent holds the lock. It may be nil.
	Lock func(context.Context) error
	// Inspector examines the machine for the operating system contract, or nil if there is no contract for the system.
	Inspector ports.Inspector
	// Close releases the resources of the machine.
	Close func() error
}

// Setup contains the options for opening a machine.
type Setup struct {
	// Root is the root directory of its file tree.
	Root string
	// Progress is called for each step; it may be nil.
	Progress func(status.Step)
	// PluginPath also searches for plugins in the directories of PATH.
	PluginPath bool
	// Pins maps file names of plugins to digests in hexadecimal.
	Pins map[string]string
}

// Options contains the dependencies of the command line.
type Options struct {
	Out, Err io.Writer
	In       io.Reader
	// Interactive reports whether In is a terminal: then reset asks before it changes the machine.
	Interactive bool
	// Open returns the machine.
	Open func(Setup) (*Machine, error)
	// Plugins returns the machine's plugins.
	Plugins func(Setup) Plugins
	// Console prints a line to the machine's console at the end of a bootstrap, or nil if there is none.
	Console func(line string)
	// Service means that the agent runs as a service: it writes to the console unless a flag disables that.
	Service bool
	// Userdata are the paths of the files that userdata writes. Default: those on Linux.
	Userdata Userdata
	// Program is the path of the agent, or empty if it is not known.
	Program string
	// Version is the version of the agent.
	Version string
	// FIPSModule is the version of the Go Cryptographic Module in a FIPS release, or empty.
	FIPSModule string
}

// failure is an error with an exit code.
type failure struct {
	error
	code int
}

// Run executes the command line and returns the exit code.
func Run(ctx context.Context, o Options, args []string) int {
	o.Out, o.Err = terminal.NewWriter(o.Out), terminal.NewWriter(o.Err)
	c := &cli{Options: o}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	err := root.ExecuteContext(budget.NewContext(ctx, budget.New(budget.Default())))
	var coded failure
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errDifferent):
		return ExitDifferent
	case errors.As(err, &coded):
		fmt.Fprintln(o.Err, "machineadm:", err)
		return coded.code
	default:
		fmt.Fprintln(o.Err, "machineadm:", err)
		return ExitUsage
	}
}

func failed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, agent.ErrStopped):
		return failure{err, ExitStopped}
	default:
		return failure{err, ExitFailed}
	}
}

// cli holds the flags that commands share.
type cli struct {
	Options
	setup                      Setup
	path, output               string
	only, skip, pins, ignore   []string
	dryRun, bootstrap, console bool
	osContract, resume         bool
	// missing means that there is no configuration at the default path. A machine that is complete needs none.
	missing bool
}

func (c *cli) root() *cobra.Command {
	if c.Userdata == (Userdata{}) {
		c.Userdata = Linux()
	}
	root := &cobra.Command{
		Use:   "machineadm",
		Short: "Apply a machine configuration to this machine",
		Long: "machineadm reads a machine configuration, applies it to this machine, joins the machine to its cluster,\n" +
			"and reports the result. It can be interrupted at any point and started again.",
		Example: "  machineadm check --path config.yaml\n  machineadm apply --path config.yaml",
		Version: c.Version, SilenceUsage: true, SilenceErrors: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.bootstrap {
				return c.run(cmd, agent.Provision)
			}
			return cmd.Help()
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().BoolVar(&c.bootstrap, "bootstrap", false, "run the command apply")
	c.configFlag(root)
	root.PersistentFlags().StringVar(&c.setup.Root, "root", wholeMachine, "root directory of the machine's file tree")
	_ = root.MarkPersistentFlagDirname("root")
	root.AddCommand(c.apply(), c.prepare(), c.diff(), c.check(), c.status(), c.reset(), c.phases(),
		c.version(), c.plugin())
	return root
}

func (c *cli) configFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&c.path, "path", "f", c.Userdata.Configuration,
		"file of the machine configuration; - is standard input")
	_ = cmd.MarkFlagFilename("path", "yaml", "yml", "gz")
	c.pluginFlags(cmd)
}

func (c *cli) phaseFlags(cmd *cobra.Command) {
	names := make([]string, 0, len(document.Phases()))
	for _, p := range document.Phases() {
		names = append(names, p.String())
	}
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	cmd.Flags().StringSliceVar(&c.only, "phase", nil, "run only these phases")
	cmd.Flags().StringSliceVar(&c.skip, "skip-phase", nil, "skip these phases")
	_ = cmd.RegisterFlagCompletionFunc("phase", complete)
	_ = cmd.RegisterFlagCompletionFunc("skip-phase", complete)
}

func (c *cli) outputFlag(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&c.output, "output", "o", "", "json or yaml; text by default")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"json", "yaml"},
		cobra.ShellCompDirectiveNoFileComp))
}

// request reads the configuration. A machine that is complete may have none any more.
func (c *cli) request(mode agent.Mode) (agent.Request, error) {
	r := agent.Request{Mode: mode}
	var err error
	if r.Only, err = phasesNamed(c.only); err != nil {
		return r, err
	}
	if r.Skip, err = phasesNamed(c.skip); err != nil {
		return r, err
	}
	if c.path == "-" {
		r.Data, err = io.ReadAll(c.In)
		return r, failed(err)
	}
	if c.path != c.Userdata.Configuration {
		r.Data, err = os.ReadFile(c.path)
		if c.resume && errors.Is(err, fs.ErrNotExist) {
			// A configuration in /tmp is gone after a reboot; a machine that is complete needs none.
			err = nil
		}
		return r, failed(err)
	}
	r.Data, err = c.userdata(c.Userdata.Configuration, (*os.Root).ReadFile)
	c.missing = r.Data == nil
	return r, failed(err)
}

// configurationError returns the error to print if findings prevent a command, which printFindings has printed.
func (c *cli) configurationError(err error) error {
	switch {
	case !errors.Is(err, agent.ErrFindings):
		return err
	case c.missing:
		return fmt.Errorf("%s is not there; give --path", c.Userdata.Configuration)
	default:
		return fmt.Errorf("%s has mistakes; nothing was changed", c.configurationName())
	}
}

// configurationName returns the file of the configuration, as findings name it.
func (c *cli) configurationName() string {
	if c.path == "-" {
		return "stdin"
	}
	return c.path
}

// userdata does something with a file that userdata laid down in the machine's tree. That it is not there is no error.
func (c *cli) userdata(path string, do func(*os.Root, string) ([]byte, error)) ([]byte, error) {
	directory, name := c.place(path)
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, err
	}
	data, err := do(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return data, errors.Join(err, root.Close())
}

// place returns the root directory of a file of the machine, and the name of the file below it.
func (c *cli) place(path string) (root, name string) {
	if !machine.IsWindowsPath(path) {
		return c.setup.Root, strings.TrimPrefix(path, "/")
	}
	return cmp.Or(c.Userdata.Drive, path[:3]), strings.ReplaceAll(path[3:], `\`, "/")
}

func phasesNamed(names []string) ([]document.Phase, error) {
	var found []document.Phase
	for _, name := range names {
		p, known := document.PhaseNamed(name)
		if !known {
			return nil, fmt.Errorf("%q is not a phase; use one of %v", name, document.Phases())
		}
		found = append(found, p)
	}
	return found, nil
}

// with opens the machine for the time of a command.
func (c *cli) with(progress func(status.Step), do func(*Machine) error) error {
	if err := c.readPins(); err != nil {
		return err
	}
	c.setup.Progress = progress
	m, err := c.Open(c.setup)
	if err != nil {
		return failed(err)
	}
	return errors.Join(do(m), failed(m.Close()))
}
