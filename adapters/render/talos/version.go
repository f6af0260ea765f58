package talos

import (
	"regexp"
	"strings"

	talosconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/constants"

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

// images are the tags of images that a release uses by default.
type images struct{ etcd, coreDNS string }

// images returns the tags of the contract (siderolabs/talos: pkg/machinery/constants of v1.9.6 and the tags v1.10.0,
// v1.11.0 and v1.12.0). Those of the library are of the newest one: an older release must not get another etcd.
func (c contract) images() images {
	older := map[string]images{
		"1.9": {"v3.5.21", "v1.12.0"}, "1.10": {"v3.5.21", "v1.12.1"}, "1.11": {"v3.6.4", "v1.12.2"},
		"1.12": {"v3.6.7", "v1.13.2"},
	}
	if i, found := older[c.name]; found {
		return i
	}
	return images{constants.DefaultEtcdVersion, constants.DefaultCoreDNSVersion}
}

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
