package nodecli

import (
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/test/examples"
	"github.com/machineadm/machineadm/test/flagpage"
)

// newRoot returns the commands without parsed flags.
func newRoot() *cobra.Command {
	c := &cli{Options: Options{Out: io.Discard, Err: io.Discard}}
	return c.root()
}

// TestCommandsAreDocumented compares the page of the commands with their definitions.
func TestCommandsAreDocumented(t *testing.T) {
	flagpage.Check(t, "machineadm", flagpage.Commands(newRoot()))
}

func TestExamples(t *testing.T) {
	examples.Check(t, examples.Program{
		New: newRoot,
		// The names of plugins and checks depend on the machine.
		FreeText: []string{"pin", "ignore"},
	})
}
