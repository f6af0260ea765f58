package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// profileFiles are the flags of every command that takes profiles of operating systems.
type profileFiles struct {
	names []string
	// quiet leaves out what is wrong with them.
	quiet bool
}

func (f *profileFiles) register(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.names, "os-profile", nil, "file with the profile of an operating system; may be repeated")
}

// read reads the profiles. What is wrong with them is printed, and then the error is errFindings.
func (f profileFiles) read(o Options) ([]osprofile.Profile, error) {
	var profiles []osprofile.Profile
	var found []located
	for _, name := range f.names {
		data, err := readAll(name, o.In)
		if err != nil {
			return nil, err
		}
		p, findings := o.ReadProfile(data, "")
		lines := strings.Split(string(data), "\n")
		for _, finding := range findings {
			found = append(found, inProfile(name, lines, finding))
		}
		if slices.ContainsFunc(profiles, func(other osprofile.Profile) bool { return other.ID == p.ID && p.ID != "" }) {
			return nil, usageError{fmt.Errorf("--os-profile %s: there is another profile of %s", name, p.ID)}
		}
		profiles = append(profiles, p)
	}
	if !f.quiet {
		write(o.Err, found)
	}
	if count(found, report.Error) > 0 {
		return nil, errFindings
	}
	return profiles, nil
}

// known returns the profiles and those that machineadm has, in the order of their names.
func (f profileFiles) known(o Options) ([]osprofile.Profile, error) {
	all, err := f.read(o)
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

// inProfile says where in the file a finding stands.
func inProfile(name string, lines []string, f report.Finding) located {
	out := located{Severity: f.Severity.String(), Object: name, Message: f.Message, Remedy: f.Remedy}
	if f.Line > 0 && f.Line <= len(lines) {
		out.File, out.Line, out.Column, out.source = name, f.Line, f.Column, strings.TrimSuffix(lines[f.Line-1], "\r")
	}
	return out
}
