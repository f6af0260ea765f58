package nodecli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/app/agent"
	"github.com/machineadm/machineadm/domain/status"
)

func (c *cli) apply() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "apply",
		Short: "Apply the whole configuration and join the cluster",
		Args:  cobra.NoArgs,
		Long: "apply runs all phases. After an interruption, it continues where it stopped. If the machine is " +
			"complete, it changes nothing.",
		Example: "  machineadm apply\n  machineadm apply --path config.yaml --dry-run\n" +
			"  machineadm apply -f - --phase file,unit",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd, agent.Provision) },
	}
	cmd.Flags().BoolVar(&c.resume, "resume", false,
		"resume a run that a reboot interrupted; a failed run is reported again and not repeated")
	return c.applying(cmd)
}

func (c *cli) prepare() *cobra.Command {
	cmd := &cobra.Command{
		Use: "prepare", Short: "Apply the steps that need no cluster, while an image is built or before provisioning",
		Example: "  machineadm prepare --path config.yaml --root /mnt/image",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.run(cmd, agent.Prepare) },
	}
	return c.applying(cmd)
}

func (c *cli) applying(cmd *cobra.Command) *cobra.Command {
	c.configFlag(cmd)
	c.phaseFlags(cmd)
	cmd.Flags().BoolVar(&c.dryRun, "dry-run", false, "show what would change, and change nothing")
	cmd.Flags().BoolVar(&c.console, "console", c.Service, "write the result to the machine's console, on one line")
	return cmd
}

func (c *cli) run(cmd *cobra.Command, mode agent.Mode) error {
	r, err := c.request(mode)
	if err != nil {
		return err
	}
	r.RemoveConfiguration, r.Resume, r.ResumeCommand = c.removeConfiguration, c.resume, c.resumeCommand()
	return c.with(c.progress, func(m *Machine) error {
		if c.dryRun {
			_, err := c.printDifferences(cmd.Context(), m, r)
			return err
		}
		if err := lock(cmd.Context(), m); err != nil {
			return failed(err)
		}
		s, prepared, err := m.Apply(cmd.Context(), r)
		c.printFindings(prepared.Findings)
		c.summary(s)
		return failed(c.configurationError(err))
	})
}

// resumeCommand returns the command by which a later boot goes on: with the same configuration, and with the same trust
// in plugins. Where the configuration is not kept there is none.
func (c *cli) resumeCommand() []string {
	if c.Program == "" || c.path == "-" || c.setup.Root != wholeMachine {
		return nil
	}
	argv := []string{c.Program, "apply", "--resume"}
	if c.path != c.Userdata.Configuration {
		at, err := filepath.Abs(c.path)
		if err != nil {
			return nil
		}
		argv = append(argv, "--path="+at)
	}
	if c.setup.PluginPath {
		argv = append(argv, "--plugin-path")
	}
	for _, pin := range c.pins {
		argv = append(argv, "--pin="+pin)
	}
	return argv
}

func lock(ctx context.Context, m *Machine) error {
	if m.Lock == nil {
		return nil
	}
	return m.Lock(ctx)
}

// removeConfiguration removes the configuration of a machine that is complete, since it holds secrets. Only the file
// that userdata laid down is ours to remove.
func (c *cli) removeConfiguration() error {
	if c.path != c.Userdata.Configuration {
		return nil
	}
	return c.remove(c.Userdata.Configuration)
}

// removeUserdataFiles removes all files that userdata created for the agent: the configuration, and the address and
// credential for reports. A configuration that the user named is not removed.
func (c *cli) removeUserdataFiles() error {
	err := c.remove(c.Userdata.Configuration)
	if c.Userdata.Report != "" {
		err = errors.Join(err, c.remove(c.Userdata.Report))
	}
	return err
}

func (c *cli) remove(path string) error {
	_, err := c.userdata(path, func(root *os.Root, name string) ([]byte, error) { return nil, root.Remove(name) })
	return err
}

// progress prints a step on one line.
func (c *cli) progress(s status.Step) {
	fmt.Fprintf(c.Err, "%-5s %-9s %s (%s)\n", s.Phase, s.Outcome, s.Action, s.Took.Round(time.Millisecond))
}

// summary prints the result on one line, here and on the machine's console.
func (c *cli) summary(s status.Status) {
	state := string(s.State)
	if s.State == status.StateRunning {
		state = "Stopped"
	}
	line := fmt.Sprintf("machineadm: %s: %d of %d steps changed something", state, s.Changes(), len(s.Steps))
	if s.Again {
		line = "machineadm: this machine is complete; nothing was done"
	} else if !s.Ended.IsZero() {
		line += ", " + s.Ended.Sub(s.Started).Round(time.Millisecond).String()
	}
	if f := s.Failure; f != nil {
		line = fmt.Sprintf("machineadm: %s in phase %s: %s", s.State, f.PhaseName(),
			strings.TrimPrefix(f.Action+": "+f.Cause, ": "))
	} else {
		fmt.Fprintln(c.Err, line)
	}
	if c.console && c.Console != nil {
		c.Console(terminal.Line(line))
	}
}
