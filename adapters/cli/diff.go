package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/linediff"
	"github.com/machineadm/machineadm/adapters/internal/terminal"
)

// errDifferent sets the exit code after the differences have been printed.
var errDifferent = errors.New("the bootstrap data differ")

func diffCommand(o Options) *cobra.Command {
	var in inputs
	c := &cobra.Command{
		Use:   "diff --from OLD -f NEW",
		Short: "Compare the bootstrap data of two versions of manifests",
		Long: `Renders the bootstrap data of all machines, or of the one of --machine, from the
manifests OLD and NEW, and prints the differences line by line, with decoded
contents of files. The output contains the secrets of the manifests.

The exit code is 0 if the data are equal, 1 if they differ, and 2 if the command
fails. Errors are printed by machineadmctl validate.`,
		Example: `  machineadmctl diff --from released/cluster.yaml -f cluster.yaml
  git show HEAD:cluster.yaml | machineadmctl diff --from - -f cluster.yaml --machine worker-0`,
		Args: cobra.NoArgs,
	}
	in.register(c, o)
	var from string
	c.Flags().StringVar(&from, "from", "", "file, directory or URL with the manifests to compare with, or -")
	completeFiles(c, "from")
	cobra.CheckErr(c.MarkFlagRequired("from"))
	c.RunE = func(c *cobra.Command, _ []string) error {
		err := in.diff(c.Context(), o, from)
		if err == nil || errors.Is(err, errDifferent) {
			return err
		}
		return usageError{err}
	}
	return c
}

// diff prints the differences between the data of two versions of manifests.
func (i *inputs) diff(ctx context.Context, o Options, from string) error {
	if err := onceFromStdin(append([]string{from}, i.sources.files...)); err != nil {
		return err
	}
	before := *i
	before.sources = sources{files: []string{from}, flag: "from", recursive: i.sources.recursive}
	was, err := before.texts(ctx, o)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	is, err := i.texts(ctx, o)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, texts := range []map[string]string{was, is} {
		for name := range texts {
			names[name] = true
		}
	}
	different := false
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was[name] == is[name] {
			continue
		}
		different = true
		if err := printDiff(o.Out, name, was[name], is[name]); err != nil {
			return err
		}
	}
	if different {
		return errDifferent
	}
	return nil
}

// texts returns the data of the machines by their names.
func (i *inputs) texts(ctx context.Context, o Options) (map[string]string, error) {
	p, err := i.read(ctx, o)
	if err != nil {
		return nil, err
	}
	results, err := i.produce(ctx, p, i.machine == "")
	if err == nil {
		err = haveDistinctNames(results)
	}
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, r := range results {
		if r.payload.Data.IsZero() {
			return nil, fmt.Errorf("machine %s: %s", r.machine.Name, r.errors())
		}
		texts[r.machine.Name] = string(readable(r.payload.Data.Reveal()))
	}
	return texts, nil
}

func printDiff(w io.Writer, name, was, is string) error {
	_, err := io.WriteString(w, linediff.Unified("old/"+terminal.Line(name), "new/"+terminal.Line(name), was, is))
	return err
}
