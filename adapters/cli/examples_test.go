package cli

import (
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/test/examples"
	"github.com/machineadm/machineadm/test/flagpage"
)

// newRoot returns the commands without parsed flags.
func newRoot() *cobra.Command {
	started := false
	return rootCommand(Options{Render: &render.Service{}, Out: io.Discard, Err: io.Discard}, &started)
}

// TestCommandsAreDocumented compares the page of the commands with their definitions.
func TestCommandsAreDocumented(t *testing.T) {
	flagpage.Check(t, "machineadmctl", flagpage.Commands(newRoot()))
}

func TestExamples(t *testing.T) {
	examples.Check(t, examples.Program{
		New:      newRoot,
		FreeText: []string{"machine", "kubernetes-version", "os-version", "key", "iterations", "passphrase-uri"},
	})
}
