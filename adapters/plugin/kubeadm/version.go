package kubeadm

import (
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/kubeadmnames"
	"github.com/machineadm/machineadm/domain/report"
)

// The minor versions of Kubernetes in which kubeadm's configuration changed.
const (
	oldest = kubeadmnames.Oldest
	newest = kubeadmnames.Newest
	// firstV1beta4 is the first whose kubeadm reads v1beta4.
	firstV1beta4 = 31
	// firstStructured is the first with structured authentication and authorization on by default.
	firstStructured = 30
	// firstCoreDNSPatch is the first whose kubeadm patches the Deployment of CoreDNS (kubernetes pull request 124820).
	firstCoreDNSPatch = 31
	// firstP384 is the first whose kubeadm makes keys on the curve P-384.
	firstP384 = 34
	// firstWithoutFlexVolumes is the first whose kubeadm mounts no directory of FlexVolume drivers.
	firstWithoutFlexVolumes = 36
)

// version is the minor version of Kubernetes 1, which decides what kubeadm reads.
type version int

// versionOf returns the version of a semantic version with its v, or what is wrong with the field.
func versionOf(s string, field report.Path) (version, report.Report) {
	rest, ok := strings.CutPrefix(s, "v1.")
	digits, _, dotted := strings.Cut(rest, ".")
	minor, err := strconv.Atoi(digits)
	if !ok || !dotted || err != nil || minor < oldest || minor > newest {
		return 0, report.Report{report.Errorf(field, "kubeadm of Kubernetes %q is not known", s).
			To("use a version from v1.%d to v1.%d", oldest, newest)}
	}
	return version(minor), nil
}

// isV1beta4 reports whether the version is v1beta4; otherwise it is v1beta3.
func (v version) isV1beta4() bool { return v >= firstV1beta4 }

// api is the apiVersion of kubeadm's documents.
func (v version) api() string {
	if v.isV1beta4() {
		return "kubeadm.k8s.io/v1beta4"
	}
	return "kubeadm.k8s.io/v1beta3"
}

// name is the version as people write it.
func (v version) name() string { return "1." + strconv.Itoa(int(v)) }

// needs records an error finding when the version is older than the first that can do something.
func (j *job) needs(first int, p report.Path, what string) {
	if int(j.api) < first {
		j.find(report.Errorf(p, "kubeadm of Kubernetes %s does not support %s", j.api.name(), what).
			To("leave it out, or use Kubernetes 1.%d or newer", first))
	}
}
