package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// conversion holds the flags of convert.
type conversion struct {
	sources                 sources
	names                   []string
	os, reportPath          string
	reportFormat, manifests string
	strict                  bool
}

func convertCommand(o Options) *cobra.Command {
	var v conversion
	c := &cobra.Command{
		Use:   "convert -f FILE",
		Short: "Convert manifests of the kubeadm provider and of Talos to machineadm's",
		Long: `Converts KubeadmConfigs, KubeadmControlPlanes, TalosConfigTemplates and their
templates, and the references to them in Clusters, ClusterClasses, Machines and
their sets, deployments and pools. All other documents stay as they are.
Variables of clusterctl and comments are kept.

The manifests are printed to the standard output. The report lists line by line
what changed, what needs a decision and what has no counterpart; it is printed
to the standard error, or to the file of --report. The exit code is 3 if --strict
is set and the report contains a decision or a value without a counterpart.`,
		Example: `  machineadmctl convert -f cluster.yaml --os ubuntu:24.04 > converted.yaml
  machineadmctl convert -f template.yaml --report report.json --report-format json \
    --output-file converted.yaml`,
		Args: cobra.NoArgs,
	}
	f := c.Flags()
	v.sources.register(c, "manifests")
	f.StringVar(&v.os, "os", "", "operating system of the machines as DISTRIBUTION or DISTRIBUTION:VERSION; "+
		"by default it is derived from images and infrastructure")
	f.StringVar(&v.manifests, "output-file", "", "file to write; the standard output by default")
	f.StringVar(&v.reportPath, "report", "", "file for the report; the standard error by default")
	f.StringVar(&v.reportFormat, "report-format", "", "format of the report: json or yaml; text by default")
	f.BoolVar(&v.strict, "strict", false, "exit with code 3 if something needs a decision or has no counterpart")
	v.sources.require(c)
	completeSystems(c, "os", o, &profileFiles{})
	limitFormat(c, "report-format", &v.reportFormat, "json", "yaml")
	completeFiles(c, "output-file", "report")
	c.RunE = func(c *cobra.Command, _ []string) error { return v.run(c, o) }
	return c
}

func (v *conversion) run(c *cobra.Command, o Options) error {
	system := migrate.ParseOS(v.os)
	if _, known := osprofile.Lookup(system.Distribution); system.Distribution != "" && !known {
		return noSuchSystem(system.Distribution, osprofile.Builtin())
	}
	in, starts, err := v.read(c.Context(), o)
	if err != nil {
		return err
	}
	result, err := migrate.Convert(c.Context(), in, migrate.Options{OS: system})
	var limit *migrate.LimitError
	if errors.As(err, &limit) {
		file, line := v.place(limit.Line, starts)
		return fmt.Errorf("%s:%d: the document has %w; convert a smaller one", file, line, limit.Err)
	}
	if err != nil {
		return err
	}
	if err := write(v.manifests, o.data, result.Manifests); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := printConversion(&text, v.reportFormat, v.places(result.Report, starts)); err != nil {
		return err
	}
	if err := write(v.reportPath, o.Err, text.Bytes()); err != nil {
		return err
	}
	if v.strict && slices.ContainsFunc(result.Report, needsWork) {
		return errWarnings
	}
	return nil
}

// conversionLine is a line of the report with its file.
type conversionLine struct {
	File string `json:"file,omitempty"`
	migrate.Line
}

// read returns the files as one text, and the number of lines before each file.
func (v *conversion) read(ctx context.Context, o Options) (in []byte, starts []int, err error) {
	all, err := v.sources.read(ctx, o.In)
	if err != nil {
		return nil, nil, err
	}
	lines := 0
	for _, s := range all {
		before := len(in)
		in = withSeparator(in, s.data)
		lines += bytes.Count(in[before:], []byte("\n"))
		v.names, starts = append(v.names, s.name), append(starts, lines)
		in = append(in, s.data...)
		lines += bytes.Count(s.data, []byte("\n"))
	}
	return in, starts, nil
}

// places adds the files to the lines of the report, whose numbers are those of the text of all files.
func (v *conversion) places(lines []migrate.Line, starts []int) []conversionLine {
	out := []conversionLine{}
	for _, l := range lines {
		placed := conversionLine{Line: l}
		if l.Line > 0 {
			placed.File, placed.Line.Line = v.place(l.Line, starts)
		}
		out = append(out, placed)
	}
	return out
}

// place returns the file, and the line in it, of a line of the text of all files.
func (v *conversion) place(line int, starts []int) (file string, lineOfFile int) {
	i := max(0, sort.SearchInts(starts, line)-1)
	return v.names[i], line - starts[i]
}

// needsWork reports whether the user has to act on a line of the report.
func needsWork(l migrate.Line) bool {
	return l.Outcome == migrate.Decision || l.Outcome == migrate.NoCounterpart
}

// withSeparator returns the text of the files before, so that a file can follow.
func withSeparator(before, data []byte) []byte {
	if len(before) == 0 {
		return before
	}
	if !bytes.HasSuffix(before, []byte("\n")) {
		before = append(before, '\n')
	}
	if !bytes.HasPrefix(data, []byte("---")) {
		before = append(before, "---\n"...)
	}
	return before
}

// write writes to the file, which only its owner can read, or to w if the name is empty. Manifests contain Secrets.
func write(name string, w io.Writer, data []byte) error {
	if name == "" {
		_, err := w.Write(data)
		return err
	}
	return writePrivate(name, data)
}

func printConversion(w io.Writer, format string, lines []conversionLine) error {
	if format != "" {
		return encode(w, format, lines)
	}
	object := ""
	for _, l := range lines {
		if l.Object != object {
			fmt.Fprintln(w, terminal.Line(l.Object))
		}
		object = l.Object
		place := ""
		if l.File != "" {
			place = fmt.Sprintf("%s:%d: ", l.File, l.Line.Line)
		}
		if l.Field != "" {
			place += l.Field + ": "
		}
		fmt.Fprintf(w, "  %s: %s\n", l.Outcome, terminal.Line(place+l.Message))
	}
	return printOutcomes(w, lines)
}

// printOutcomes prints the number of lines of each outcome.
func printOutcomes(w io.Writer, lines []conversionLine) error {
	counts := map[migrate.Outcome]int{}
	for _, l := range lines {
		counts[l.Outcome]++
	}
	_, err := fmt.Fprintf(w, "%d changed, %s, %d without a counterpart, %s\n", counts[migrate.Changed],
		number(counts[migrate.Decision], "decision"), counts[migrate.NoCounterpart], number(counts[migrate.Note], "note"))
	return err
}
