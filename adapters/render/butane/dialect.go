package butane

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// dialect is a version of a variant.
type dialect struct {
	variant, version string
	// ignition is the specification that it translates to.
	ignition ignmodel.Specification
}

// openshift is the variant of RHEL CoreOS, whose machines take a part of Ignition only.
const openshift = "openshift"

// dialects is the table of the stable versions, oldest first (docs/specs.md of Butane).
func dialects() []dialect {
	return []dialect{
		{"fcos", "1.0.0", 0},
		{"fcos", "1.1.0", 1},
		{"fcos", "1.2.0", 2},
		{"fcos", "1.3.0", 2},
		{"fcos", "1.4.0", 3},
		{"fcos", "1.5.0", 4},
		{"fcos", "1.6.0", 5},
		{"fcos", "1.7.0", 6},
		{"flatcar", "1.0.0", 3},
		{"flatcar", "1.1.0", 4},
		{"r4e", "1.0.0", 3},
		{"r4e", "1.1.0", 4},
		{"fiot", "1.0.0", 4},
		{openshift, "4.8.0", 2},
		{openshift, "4.9.0", 2},
		{openshift, "4.10.0", 2},
		{openshift, "4.11.0", 2},
		{openshift, "4.12.0", 2},
		{openshift, "4.13.0", 2},
		{openshift, "4.14.0", 4},
		{openshift, "4.15.0", 4},
		{openshift, "4.16.0", 4},
		{openshift, "4.17.0", 4},
		{openshift, "4.18.0", 4},
		{openshift, "4.19.0", 5},
		{openshift, "4.20.0", 5},
		{openshift, "4.21.0", 5},
		{openshift, "4.22.0", 6},
	}
}

func (d dialect) abilities() ignmodel.Abilities {
	a := d.ignition.Abilities()
	if d.variant == openshift {
		a.Directories, a.Links, a.Appends, a.Downloads, a.SpecialModes = false, false, false, false, false
	}
	// The other variants refuse kernel arguments, and a MachineConfig only adds some (Butane's docs/config-*.md).
	a.KernelArguments = a.KernelArguments && (d.variant == "fcos" || d.variant == "flatcar")
	return a
}

// dialectOf returns what to write for the target: the version asked for, which may also be one of Ignition's
// specifications, or the newest that the release has.
func dialectOf(t osprofile.Target) (dialect, report.Report) {
	var versions []string
	requested, found := t.VersionOf(delivery.FormatButane), dialect{}
	if strings.Count(requested, ".") == 1 {
		requested += ".0"
	}
	for _, d := range dialects() {
		if d.variant != t.Profile.ButaneVariant {
			continue
		}
		versions = append(versions, d.version)
		if requested == d.version || requested == d.ignition.String() {
			found = d
		}
	}
	switch {
	case len(versions) == 0:
		return dialect{}, report.Report{report.Errorf("spec.format", "Butane has no variant for %s", t.Profile.Name).
			To("choose another format")}
	case requested == "":
		return dialect{}, report.Report{report.Errorf("spec.format", "%s %s reads no Ignition 3", t.Profile.Name, t.Release).
			To("choose another format, or give its version")}
	case !slices.Contains(versions, found.version):
		return dialect{}, report.Report{report.Errorf("spec.formatOptions.version",
			"%q is not a stable version of the variant %s", requested, t.Profile.ButaneVariant).
			To("use one of %s", strings.Join(versions, ", "))}
	}
	return found, nil
}
