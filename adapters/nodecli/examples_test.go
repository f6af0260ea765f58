package nodecli

import (
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/test/examples"
)

func TestExamples(t *testing.T) {
	examples.Check(t, examples.Program{
		New: func() *cobra.Command {
			c := &cli{Options: Options{Out: io.Discard, Err: io.Discard}}
			return c.root()
		},
		// The names of plugins and checks depend on the machine.
		FreeText: []string{"pin", "ignore"},
	})
}
