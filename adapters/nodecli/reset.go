package nodecli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/domain/journal"
)

func (c *cli) reset() *cobra.Command {
	var yes, dryRun bool
	cmd := &cobra.Command{
		Use: "reset", Short: "Revert the changes of machineadm, the last one first", Args: cobra.NoArgs,
		Long: "reset reverts the changes in the journal. Disks and packages stay: other programs may use them by now. The\n" +
			"configuration from the userdata is removed, so that the machine cannot be joined again with it; one that\n" +
			"--path names stays. On a terminal, reset asks first.",
		Example: "  machineadm reset --dry-run\n  machineadm reset --yes",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(nil, func(m *Machine) error {
				if dryRun {
					return failed(c.printChanges(cmd.Context(), m))
				}
				if c.Interactive && !yes {
					if err := c.confirm(cmd.Context(), m); err != nil {
						return failed(err)
					}
				}
				if err := lock(cmd.Context(), m); err != nil {
					return failed(err)
				}
				return failed(m.Reset(cmd.Context(), func(e journal.Entry) { fmt.Fprintln(c.Err, "undo:", e.Summary) },
					c.removeUserdataFiles))
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print what would be reverted, and change nothing")
	return cmd
}

// printChanges prints the changes in the order in which a reset reverts them.
func (c *cli) printChanges(ctx context.Context, m *Machine) error {
	changes, err := m.Changes(ctx)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(changes) {
		fmt.Fprintln(c.Out, "undo:", e.Summary)
	}
	return nil
}

// errAborted means that the user did not confirm a reset.
var errAborted = errors.New("nothing was changed: the reset was not confirmed with \"y\"")

// confirm asks the user on the terminal. It returns errAborted for every answer but y and yes.
func (c *cli) confirm(ctx context.Context, m *Machine) error {
	changes, err := m.Changes(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Err, "This reverts %d changes of machineadm, and removes the node from its cluster. Continue? [y/N] ",
		len(changes))
	answer, err := bufio.NewReader(c.In).ReadString('\n')
	if err != nil && answer == "" {
		return errAborted
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	default:
		return errAborted
	}
}
