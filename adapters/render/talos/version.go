package talos

import (
	"regexp"
	"strings"

	talosconfig "github.com/siderolabs/talos/pkg/machinery/config"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// oldest and newest are the version contracts that are written; newest is that of the library.
const (
	oldest = "1.9"
	newest = "1.13"
)

var releasePattern = regexp.MustCompile(`^v?[0-9]{1,4}\.[0-9]{1,4}(\.[0-9]{1,4})?([-+][0-9A-Za-z.+-]*)?$`)

// contract is what a version of Talos reads. Since names the release that brought something.
type contract struct {
	*talosconfig.VersionContract
	// name is the contract without a v, such as 1.12.
	name string
}

// since reports whether the contract is the given one or a later one.
func (c contract) since(release string) bool { return osprofile.CompareReleases(c.name, release) >= 0 }

// contractOf returns the contract of the target: the version of the format that is asked for, or the newest that the
// release reads.
func contractOf(t osprofile.Target) (contract, report.Report) {
	requested := t.VersionOf(delivery.FormatTalos)
	if requested == "" {
		requested = newest
	}
	parts := strings.SplitN(strings.TrimPrefix(requested, "v"), ".", 3)
	c := contract{name: strings.Join(parts[:min(2, len(parts))], ".")}
	parsed, err := talosconfig.ParseContractFromVersion(c.name)
	if err != nil || !c.since(oldest) || osprofile.CompareReleases(c.name, newest) > 0 {
		return contract{}, report.Report{report.Errorf("spec.formatOptions.version",
			"no configuration is written for Talos %q", requested).
			To("use a version from %s to %s", oldest, newest)}
	}
	c.VersionContract = parsed
	return c, nil
}

// checkKubernetes finds a version of Kubernetes that the release of Talos does not run, and a text that is not a
// release.
func checkKubernetes(t osprofile.Target, version string, p report.Path) report.Report {
	if t.Release != "" && !releasePattern.MatchString(t.Release) {
		return report.Report{report.Errorf("spec.os.version", "%q is not a release of Talos", t.Release).To(
			"write it as 1.14.0")}
	}
	return t.CheckKubernetes(delivery.FormatTalos, version, p)
}
