package cli

import (
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/test/examples"
)

func TestExamples(t *testing.T) {
	examples.Check(t, examples.Program{
		New: func() *cobra.Command {
			started := false
			return rootCommand(Options{Render: &render.Service{}, Out: io.Discard, Err: io.Discard}, &started)
		},
		FreeText: []string{"machine", "kubernetes-version", "os-version", "key", "iterations", "passphrase-uri"},
	})
}
