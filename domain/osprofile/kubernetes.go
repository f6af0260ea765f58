package osprofile

import (
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
)

// KubernetesRange contains the versions of Kubernetes that a release of an operating system runs.
type KubernetesRange struct {
	// Release is a minor version of the system, such as 1.14.
	Release string
	// Oldest and Newest are minor versions of Kubernetes, such as 1.32.
	Oldest, Newest string
}

// contains reports whether the version is in the range.
func (r KubernetesRange) contains(v node.Version) bool {
	minor := strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor)
	return CompareReleases(minor, r.Oldest) >= 0 && CompareReleases(minor, r.Newest) <= 0
}

// kubernetesRanges returns the ranges of the target's release. Without a release they are those of the releases that
// read the target's version of the format.
func (t Target) kubernetesRanges(f delivery.Format) []KubernetesRange {
	var ranges []KubernetesRange
	for _, r := range t.Profile.KubernetesRanges {
		release := strings.TrimPrefix(t.Release, "v")
		if release == r.Release || strings.HasPrefix(release, r.Release+".") ||
			release == "" && CompareReleases(r.Release, t.VersionOf(f)) >= 0 {
			ranges = append(ranges, r)
		}
	}
	return ranges
}

// CheckKubernetes returns an error finding at p if the target's release does not run the version of Kubernetes.
// Releases without a known range, and versions that cannot be parsed, pass.
func (t Target) CheckKubernetes(f delivery.Format, version string, p report.Path) report.Report {
	v, ok := node.ParseVersion(version)
	ranges := t.kubernetesRanges(f)
	if !ok || len(ranges) == 0 {
		return nil
	}
	for _, r := range ranges {
		if r.contains(v) {
			return nil
		}
	}
	oldest, newest := ranges[0].Oldest, ranges[len(ranges)-1].Newest
	return report.Report{report.Errorf(p, "%s runs Kubernetes %s to %s, but the machine's version is %s", t.name(), oldest,
		newest, v).To("use a version in this range%s", t.otherReleases(v))}
}

// otherReleases returns the part of the remedy that names the releases which run the version.
func (t Target) otherReleases(v node.Version) string {
	var releases []string
	for _, r := range t.Profile.KubernetesRanges {
		if r.contains(v) {
			releases = append(releases, r.Release)
		}
	}
	if len(releases) == 0 {
		return ""
	}
	return ", or one of these values of spec.os.version: " + strings.Join(releases, ", ")
}
