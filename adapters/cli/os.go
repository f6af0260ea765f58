package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/internal/terminal"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

func osCommand(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "os",
		Short: "Show the operating systems that machineadm supports",
		Example: `  machineadmctl os list
  machineadmctl os show flatcar`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(osListCommand(o), osShowCommand(o))
	return c
}

func osListCommand(o Options) *cobra.Command {
	var profiles profileFiles
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List operating systems and their formats",
		Example: `  machineadmctl os list
  machineadmctl os list -o wide
  machineadmctl os list --os-profile my-distribution.yaml -o json`,
		Args: cobra.NoArgs,
	}
	profiles.register(c)
	registerOutput(c, &format, "a table", "json", "yaml", "wide")
	c.RunE = func(c *cobra.Command, _ []string) error {
		all, err := profiles.all(c.Context(), o)
		if err != nil {
			return err
		}
		if format == "json" || format == "yaml" {
			return encode(o.Out, format, summaries(all))
		}
		return printTable(o.Out, all, format == "wide")
	}
	return c
}

func osShowCommand(o Options) *cobra.Command {
	var profiles profileFiles
	var format string
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Show the profile of an operating system, with its sources",
		Long: `Shows the profile of an operating system: its formats, writable directories and
programs, and the sources of these facts.

-o yaml prints the profile in the form that --os-profile and the ConfigMap of
spec.os.profileFrom require.`,
		Example: `  machineadmctl os show flatcar
  machineadmctl os show flatcar -o yaml > my-distribution.yaml`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completions(c.Context(), o, profiles), cobra.ShellCompDirectiveNoFileComp
		},
	}
	profiles.register(c)
	registerOutput(c, &format, "a page", "json", "yaml")
	c.RunE = func(c *cobra.Command, args []string) error {
		all, err := profiles.all(c.Context(), o)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(p osprofile.Profile) bool { return p.ID == args[0] })
		if i < 0 {
			return noSuchSystem(args[0], all)
		}
		return printProfile(o, all[i], format)
	}
	return c
}

// completions returns the IDs of the profiles with their names as descriptions.
func completions(ctx context.Context, o Options, profiles profileFiles) []string {
	// Cobra parses the flags twice for a completion, so each file is listed twice.
	profiles.names = slices.Compact(slices.Sorted(slices.Values(profiles.names)))
	profiles.quiet = true
	all, err := profiles.all(ctx, o)
	if err != nil {
		all = osprofile.Builtin()
	}
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.ID + "\t" + p.Name
	}
	return names
}

// noSuchSystem reports the name of an operating system that does not exist.
func noSuchSystem(name string, all []osprofile.Profile) error {
	remedy := report.DidYouMean(name, ids(all), "use one of "+strings.Join(ids(all), ", "))
	return usageError{fmt.Errorf("no such operating system: %q; %s", name, remedy)}
}

func ids(profiles []osprofile.Profile) []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.ID
	}
	return names
}

// printTable prints a line for each profile. It prints no colors, so that it is the same in a pipe.
func printTable(w io.Writer, profiles []osprofile.Profile, wide bool) error {
	t := terminal.NewTable(w, 0, 3)
	head := []any{"NAME", "FAMILY", "FORMAT", "KUBERNETES"}
	if wide {
		head = append(head, "OTHER FORMATS", "RUNTIME", "TIME", "PACKAGES", "COMMANDS")
	}
	t.Row(append(head, "VERSIONS BY RELEASE")...)
	for _, p := range profiles {
		row := []any{p.ID, string(p.Family), string(p.DefaultFormat()), string(p.Provision)}
		if wide {
			row = append(row, orDash(otherFormats(p)), string(p.ContainerRuntime), orDash(timeDaemons(p)),
				orDash(string(p.PackageManager)), string(p.Shell))
		}
		t.Row(append(row, orDash(versions(p.Formats[0])))...)
	}
	return t.Flush()
}

func orDash(s string) string { return cmp.Or(s, "-") }

// versions returns the version of the format for each range of releases: "3185.0.0: 3.3.0, 3602.0.0: 3.4.0".
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

func otherFormats(p osprofile.Profile) string {
	var names []string
	for _, s := range p.Formats[1:] {
		names = append(names, string(s.Format))
	}
	return strings.Join(names, ", ")
}

// summary is a profile in the output of os list.
type summary struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Family    string          `json:"family"`
	Formats   []formatSummary `json:"formats"`
	Provision string          `json:"provision"`
}

type formatSummary struct {
	Format   string           `json:"format"`
	Versions []versionSummary `json:"versions,omitempty"`
}

type versionSummary struct {
	Since   string `json:"since,omitempty"`
	Version string `json:"version"`
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
