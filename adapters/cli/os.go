package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/domain/osprofile"
)

func osCommand(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "os",
		Short: "Tell what is known of operating systems",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(osListCommand(o), osShowCommand(o))
	return c
}

func osListCommand(o Options) *cobra.Command {
	var brought profileFiles
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the operating systems, and the formats that their releases read",
		Example: `  machineadmctl os list
  machineadmctl os list -o wide
  machineadmctl os list --os-profile my-distribution.yaml -o json`,
		Args: cobra.NoArgs,
	}
	brought.register(c)
	c.Flags().StringVarP(&format, "output", "o", "", "json, yaml or wide in place of the table")
	completes(c, "output", "json", "yaml", "wide")
	c.RunE = func(*cobra.Command, []string) error {
		if format != "wide" {
			if err := checkOutput(format); err != nil {
				return err
			}
		}
		known, err := brought.known(o)
		if err != nil {
			return err
		}
		if format == "json" || format == "yaml" {
			return encode(o.Out, format, summaries(known))
		}
		return table(o.Out, known, format == "wide")
	}
	return c
}

func osShowCommand(o Options) *cobra.Command {
	var brought profileFiles
	var format string
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Show all that is known of an operating system, and where it was found",
		Long: `Shows the profile of an operating system: which format it reads, where it lets one write, which programs it has, and where these
facts were found.

With -o yaml the profile is printed as --os-profile and a ConfigMap for spec.os.profileFrom take it.`,
		Example: `  machineadmctl os show flatcar
  machineadmctl os show flatcar -o yaml > my-distribution.yaml`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completions(o, brought), cobra.ShellCompDirectiveNoFileComp
		},
	}
	brought.register(c)
	c.Flags().StringVarP(&format, "output", "o", "", "json or yaml in place of the page")
	completes(c, "output", "json", "yaml")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := checkOutput(format); err != nil {
			return err
		}
		known, err := brought.known(o)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(known, func(p osprofile.Profile) bool { return p.ID == args[0] })
		if i < 0 {
			return usageError{fmt.Errorf("there is no operating system %q; there are %s", args[0],
				strings.Join(ids(known), ", "))}
		}
		return showProfile(o, known[i], format)
	}
	return c
}

// completes offers the words for a flag.
func completes(c *cobra.Command, flag string, words ...string) {
	cobra.CheckErr(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
}

// completions are names with what they are called.
func completions(o Options, brought profileFiles) []string {
	// The completion reads the flags twice, and then each file is there twice.
	brought.names = slices.Compact(slices.Sorted(slices.Values(brought.names)))
	brought.quiet = true
	known, err := brought.known(o)
	if err != nil {
		known = osprofile.Builtin()
	}
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.ID + "\t" + p.Name
	}
	return names
}

func ids(profiles []osprofile.Profile) []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.ID
	}
	return names
}

// table prints a line for each profile. It has no colours, so that it is the same in a pipe.
func table(w io.Writer, profiles []osprofile.Profile, wide bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	head := []string{"NAME", "FAMILY", "FORMAT", "KUBERNETES"}
	if wide {
		head = append(head, "OTHER FORMATS", "RUNTIME", "TIME", "PACKAGES", "COMMANDS")
	}
	rows := [][]string{append(head, "VERSIONS BY RELEASE")}
	for _, p := range profiles {
		row := []string{p.ID, string(p.Family), string(p.DefaultFormat()), string(p.Provision)}
		if wide {
			row = append(row, orDash(others(p)), string(p.ContainerRuntime), orDash(string(p.TimeDaemon)),
				orDash(string(p.PackageManager)), string(p.Shell))
		}
		rows = append(rows, append(row, orDash(versions(p.Formats[0]))))
	}
	for _, row := range rows {
		// The writer keeps what went wrong for Flush.
		_, _ = fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

func orDash(s string) string { return cmp.Or(s, "-") }

// versions says which version of the format a release reads: "3185.0.0: 3.3.0, 3602.0.0: 3.4.0".
func versions(s osprofile.FormatSupport) string {
	var parts []string
	for _, v := range s.Versions {
		part := v.Version
		if v.Since != "" {
			part = v.Since + ": " + v.Version
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func others(p osprofile.Profile) string {
	var names []string
	for _, s := range p.Formats[1:] {
		names = append(names, string(s.Format))
	}
	return strings.Join(names, ", ")
}

// summary is a profile in a list for programs.
type summary struct {
	ID        string          `json:"id" yaml:"id"`
	Name      string          `json:"name" yaml:"name"`
	Family    string          `json:"family" yaml:"family"`
	Formats   []formatSummary `json:"formats" yaml:"formats"`
	Provision string          `json:"provision" yaml:"provision"`
}

type formatSummary struct {
	Format   string           `json:"format" yaml:"format"`
	Versions []versionSummary `json:"versions,omitempty" yaml:"versions,omitempty"`
}

type versionSummary struct {
	Since   string `json:"since,omitempty" yaml:"since,omitempty"`
	Version string `json:"version" yaml:"version"`
}

func summaries(profiles []osprofile.Profile) []summary {
	list := make([]summary, len(profiles))
	for i, p := range profiles {
		list[i] = summary{ID: p.ID, Name: p.Name, Family: string(p.Family), Provision: string(p.Provision)}
		for _, s := range p.Formats {
			f := formatSummary{Format: string(s.Format)}
			for _, v := range s.Versions {
				f.Versions = append(f.Versions, versionSummary(v))
			}
			list[i].Formats = append(list[i].Formats, f)
		}
	}
	return list
}
