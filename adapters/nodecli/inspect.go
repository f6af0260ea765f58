package nodecli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/preflight"
	"github.com/machineadm/machineadm/domain/report"
)

func (c *cli) check() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check", Short: "Report mistakes in the configuration and requirements that the machine does not meet",
		Args: cobra.NoArgs,
		Long: "check changes nothing. It prints each mistake with its place and each missing requirement with its name\n" +
			"and the remedy. Pass the names of checks to skip with --ignore, such as Swap or Port-6443, or all.\n" +
			"--os-contract checks the machine, or an image below --root, against the contract for operating systems,\n" +
			"independent of the configuration.",
		Example: "  machineadm check --path config.yaml\n  machineadm check --path config.yaml --ignore Swap -o json\n" +
			"  machineadm check --os-contract --root /mnt/image",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.formatted(); err != nil {
				return err
			}
			if c.osContract {
				return c.with(nil, func(m *Machine) error { return c.printContractCheck(cmd.Context(), m) })
			}
			r, err := c.request(agent.Provision)
			if err != nil {
				return err
			}
			return c.with(nil, func(m *Machine) error { return c.printCheck(cmd.Context(), m, r) })
		},
	}
	c.configFlag(cmd)
	cmd.Flags().StringSliceVar(&c.ignore, "ignore", nil, "names of checks to ignore")
	cmd.Flags().BoolVar(&c.osContract, "os-contract", false,
		"check whether the operating system complies with the operating system contract")
	c.outputFlag(cmd)
	return cmd
}

func (c *cli) printCheck(ctx context.Context, m *Machine, r agent.Request) error {
	prepared, problems, err := m.Check(ctx, r)
	counted, ignored := preflight.Ignore(problems, c.ignore)
	if c.output != "" && err == nil {
		err = c.print(checked(prepared, counted, ignored))
	} else {
		c.printFindings(prepared.Findings)
		c.printProblems(counted, ignored)
	}
	switch {
	case err != nil:
		return failed(err)
	case prepared.Findings.HasErrors():
		return failed(c.configurationError(agent.ErrFindings))
	case len(counted) > 0:
		return failed(fmt.Errorf("the machine does not meet %d requirements of the configuration", len(counted)))
	}
	fmt.Fprintf(c.Err, "machineadm: %d documents, %d steps, no mistake\n", len(prepared.Documents), len(prepared.Steps))
	return nil
}

func (c *cli) printProblems(counted, ignored []preflight.Problem) {
	for _, l := range ignored {
		fmt.Fprintln(c.Err, "ignored:", l)
	}
	for _, l := range counted {
		fmt.Fprintln(c.Err, "lacking:", l)
	}
}

// printFindings prints findings with the file of the configuration. That there is no file is an error of the command.
func (c *cli) printFindings(r report.Report) {
	if c.missing {
		return
	}
	shown, omitted := r.Shown()
	for _, f := range shown {
		fmt.Fprintf(c.Err, "%s: %s\n", c.configurationName(), f)
	}
	if omitted > 0 {
		fmt.Fprintf(c.Err, "%d more findings are left out\n", omitted)
	}
}

func (c *cli) status() *cobra.Command {
	cmd := &cobra.Command{
		Use: "status", Short: "Show the status of the last run", Args: cobra.NoArgs,
		Example: "  machineadm status\n  machineadm status -o json",
		RunE:    func(*cobra.Command, []string) error { return c.with(nil, c.printStatus) },
	}
	c.outputFlag(cmd)
	return cmd
}

func (c *cli) printStatus(m *Machine) error {
	data, err := m.Status()
	if errors.Is(err, fs.ErrNotExist) {
		return failed(errors.New("machineadm has not run on this machine"))
	}
	if err != nil {
		return failed(err)
	}
	switch c.output {
	case "json":
		_, err = c.Out.Write(data)
		return failed(err)
	case "yaml":
		return failed(c.printYAML(data))
	case "":
		return failed(c.statusText(m, data))
	default:
		return fmt.Errorf("%q is not an output format; use json or yaml", c.output)
	}
}

func (c *cli) statusText(m *Machine, data []byte) error {
	s, err := m.StatusReader.ReadStatus(data)
	if err != nil {
		return fmt.Errorf("read the status: %w", err)
	}
	fmt.Fprintf(c.Out, "%s  started %s  ended %s\n", s.State, timeText(s.Started), timeText(s.Ended))
	t := terminal.NewTable(c.Out, 0, 2)
	t.Row("PHASE", "OUTCOME", "MS", "ACTION", "DOCUMENT")
	for _, step := range s.Steps {
		t.Row(step.Phase, step.Outcome, step.Took.Milliseconds(), step.Action, step.Document)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if f := s.Failure; f != nil {
		at := ""
		if f.Document != "" {
			at = " at " + f.Document
		}
		fmt.Fprintf(c.Out, "\nfailed in phase %s%s: %s\n%s", f.PhaseName(), at, f.Cause, f.Log)
	}
	return nil
}

// timeText returns the time as in the status file, or empty if it is not known.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func (c *cli) phases() *cobra.Command {
	return &cobra.Command{
		Use: "phases", Short: "List the phases in their order", Args: cobra.NoArgs,
		Example: "  machineadm phases",
		Run: func(*cobra.Command, []string) {
			for _, p := range document.Phases() {
				fmt.Fprintln(c.Out, p)
			}
		},
	}
}

func (c *cli) version() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Example: "  machineadm version\n  machineadm version -o json",
		RunE: func(*cobra.Command, []string) error {
			if err := c.formatted(); err != nil {
				return err
			}
			if c.output != "" {
				built := map[string]string{
					"version": c.Version, "goVersion": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				}
				if c.FIPSModule != "" {
					built["fipsModule"] = c.FIPSModule
				}
				return failed(c.print(built))
			}
			_, err := fmt.Fprintln(c.Out, c.Version)
			if err == nil && c.FIPSModule != "" {
				_, err = fmt.Fprintln(c.Out, "Go Cryptographic Module", c.FIPSModule)
			}
			return failed(err)
		},
	}
	c.outputFlag(cmd)
	return cmd
}
