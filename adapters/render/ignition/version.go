package ignition

import (
	"slices"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// specification is the minor number of a version of the specification, 3.minor.0.
type specification int

// newest is the newest stable specification.
const newest specification = 6

func (v specification) String() string { return "3." + strconv.Itoa(int(v)) + ".0" }

// abilities is the one table of what versions added (docs/migrating-configs.md of Ignition).
func (v specification) abilities() ignmodel.Abilities {
	return ignmodel.Abilities{
		SHA256:          v >= 1,
		SpecialModes:    v >= 6,
		DirectoryModes:  true,
		AppendKeepsMode: true,
		UsersOnMounts:   true,
		Directories:     true,
		Links:           true,
		Appends:         true,
	}
}

// versionOf returns the specification to write for the target. An unknown one is a finding at spec.format.
func versionOf(t osprofile.Target) (specification, report.Report) {
	asked := t.VersionOf(delivery.FormatIgnition)
	versions := make([]string, newest+1)
	for v := range versions {
		versions[v] = specification(v).String()
	}
	if asked == "" {
		return 0, report.Report{report.Errorf("spec.format", "%s %s reads no Ignition 3", t.Profile.Name, t.Release).
			To("choose another format, or give its version")}
	}
	// 3.4 means 3.4.0.
	full := asked
	if strings.Count(full, ".") == 1 {
		full += ".0"
	}
	v := slices.Index(versions, full)
	if v < 0 {
		return 0, report.Report{report.Errorf("spec.format.version", "%q is no stable specification of Ignition 3", asked).
			To("use one of %s", strings.Join(versions, ", "))}
	}
	return specification(v), nil
}
