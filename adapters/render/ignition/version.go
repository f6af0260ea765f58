package ignition

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// versionOf returns the specification to write for the target. An unknown one is a finding at spec.format.
func versionOf(t osprofile.Target) (ignmodel.Specification, report.Report) {
	requested := t.VersionOf(delivery.FormatIgnition)
	versions := make([]string, ignmodel.Newest+1)
	for v := range versions {
		versions[v] = ignmodel.Specification(v).String()
	}
	if requested == "" {
		return 0, report.Report{report.Errorf("spec.format", "%s %s reads no Ignition 3", t.Profile.Name, t.Release).
			To("choose another format, or give its version")}
	}
	// 3.4 means 3.4.0.
	full := requested
	if strings.Count(full, ".") == 1 {
		full += ".0"
	}
	v := slices.Index(versions, full)
	if v < 0 {
		return 0, report.Report{report.Errorf("spec.formatOptions.version",
			"%q is not a stable specification of Ignition 3", requested).
			To("use one of %s", strings.Join(versions, ", "))}
	}
	return ignmodel.Specification(v), nil
}
