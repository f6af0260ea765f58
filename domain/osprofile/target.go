package osprofile

import (
	"cmp"

	"github.com/machineadm/machineadm/domain/delivery"
)

// Target describes the machine that a configuration is for: the profile of its operating system, and values that the
// user has set or the agent has detected.
type Target struct {
	Profile Profile
	// Release is the distribution's version, such as 4230.2.0 or 24.04; empty means a current one.
	Release string
	// Architecture is amd64 or arm64.
	Architecture string
	// Platform is the infrastructure, by afterburn's names: aws, azure, gcp, openstack, vmware, …; empty is unknown.
	Platform string
	// KubernetesVersion is a semantic version with the prefix v.
	KubernetesVersion string
	// FormatVersion is the version of the format to write; empty is the newest that the release reads.
	FormatVersion string
	// ContainerdVersion is the version of containerd's configuration file; 0 is the profile's.
	ContainerdVersion int
	// InstallDisk is the device to which the system installs itself; empty is the default of the format.
	InstallDisk string
	// Infrastructure is the kind of the machine's infrastructure object, such as AWSMachine; empty is unknown.
	Infrastructure string
}

// reads reports whether the target's release is the given one or later. Without a release it is the profile's default
// release, and without that the newest one.
func (t Target) reads(since string) bool {
	release := cmp.Or(t.Release, t.Profile.DefaultRelease)
	return release == "" || since == "" || CompareReleases(release, since) >= 0
}

// Newest returns the newest version of the format that the target's release reads. It is empty if the release reads
// none or if the format has no versions.
func (t Target) Newest(f delivery.Format) string {
	support, _ := t.Profile.Supports(f)
	newest := ""
	for _, v := range support.Versions {
		if t.reads(v.Since) {
			newest = v.Version
		}
	}
	return newest
}

// VersionOf returns the version of the format to write: FormatVersion, or the newest that the release reads.
func (t Target) VersionOf(f delivery.Format) string {
	if t.FormatVersion != "" {
		return t.FormatVersion
	}
	return t.Newest(f)
}

// DefaultFormat returns the first of the profile's formats that the target's release reads. Old releases of Flatcar do
// not read Ignition 3.
func (t Target) DefaultFormat() delivery.Format {
	for _, s := range t.Profile.Formats {
		if len(s.Versions) == 0 || t.Newest(s.Format) != "" {
			return s.Format
		}
	}
	return t.Profile.DefaultFormat()
}

// ContainerdConfigVersion returns the version of containerd's configuration file that the target reads. The default is
// 2, which every containerd reads. If the image determines the containerd and the release is unknown, only the version
// for all releases applies.
func (t Target) ContainerdConfigVersion() int {
	if t.ContainerdVersion != 0 {
		return t.ContainerdVersion
	}
	version, current := 2, t.Release != "" || t.Profile.ContainsRuntime
	for _, v := range t.Profile.ContainerdConfig {
		if v.Since == "" || current && t.reads(v.Since) {
			version = v.Version
		}
	}
	return version
}
