package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/adapters/kubernetes/convert"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// profileFiles are the flags of the commands that read profiles of operating systems.
type profileFiles struct {
	names []string
	// quiet suppresses findings.
	quiet bool
}

func (f *profileFiles) register(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.names, "os-profile", nil, "file with the profile of an operating system; can be repeated")
	completeFiles(c, "os-profile")
}

// read reads the profiles and prints findings. If one is an error, it returns errFindings.
func (f profileFiles) read(ctx context.Context, o Options) ([]osprofile.Profile, error) {
	var profiles []osprofile.Profile
	var found []finding
	for _, name := range f.names {
		in, err := readSource(ctx, name, o.In)
		if err != nil {
			return nil, err
		}
		p, findings := convert.ReadOSProfile(ctx, in.data, "")
		source := &file{name: in.name, lines: strings.Split(string(in.data), "\n")}
		for _, problem := range findings {
			found = append(found, source.locate(problem))
		}
		if slices.ContainsFunc(profiles, func(other osprofile.Profile) bool { return other.ID == p.ID && p.ID != "" }) {
			return nil, usageError{fmt.Errorf("--os-profile %s: another file contains a profile of %s", name, p.ID)}
		}
		profiles = append(profiles, p)
	}
	if !f.quiet {
		printFindings(o.Err, found)
	}
	if count(found, report.Error) > 0 {
		return nil, errFindings
	}
	return profiles, nil
}

// all returns the profiles, and the built-in ones that they do not replace, sorted by name.
func (f profileFiles) all(ctx context.Context, o Options) ([]osprofile.Profile, error) {
	all, err := f.read(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, p := range osprofile.Builtin() {
		if !slices.ContainsFunc(all, func(other osprofile.Profile) bool { return other.ID == p.ID }) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b osprofile.Profile) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}
