package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
)

// Target is the machine for which a configuration is made: the profile and what was said or found out about this
// machine.
type Target struct {
	Profile Profile
	// Release is the distribution's version, such as 4230.2.0 or 24.04; empty means a current one.
	Release string
	// Architecture is amd64 or arm64.
	Architecture string
	// Platform is the infrastructure, in afterburn's words: aws, azure, gcp, openstack, vmware, …; empty is unknown.
	Platform string
	// KubernetesVersion is a semantic version with its v.
	KubernetesVersion string
	// FormatVersion asks for a version of the format; empty takes the newest that the release reads.
	FormatVersion string
	// ContainerdVersion is the version of containerd's configuration file; 0 takes the profile's.
	ContainerdVersion int
	// Snippets are merged into the output of their formats.
	Snippets []SourcedSnippet
	// Infrastructure is the kind of the object that stands for the machine at its infrastructure provider, such as
	// AWSMachine; empty is unknown.
	Infrastructure string
	// Delivery says how the output is handed over.
	Delivery delivery.Options
}

// SourcedSnippet is a snippet and where it was written.
type SourcedSnippet struct {
	// Secret says that the text came from a Secret, so that findings must not repeat any word of it.
	Secret bool
	delivery.Snippet
	Source document.Source
}

// reads reports whether the target's release is the given one or a later one. Without a release it is a current one,
// which is later than all that a profile names.
func (t Target) reads(since string) bool {
	return t.Release == "" || since == "" || CompareReleases(t.Release, since) >= 0
}

// Newest returns the newest version of the format that the target's release reads: "" if it reads none, or if the
// format has no versions.
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

// VersionOf returns the version of the format to write: the one asked for, or else the newest that the release reads.
func (t Target) VersionOf(f delivery.Format) string {
	if t.FormatVersion != "" {
		return t.FormatVersion
	}
	return t.Newest(f)
}

// DefaultFormat returns the first of the profile's formats that the target's release reads: an old Flatcar does not
// know Ignition 3 yet.
func (t Target) DefaultFormat() delivery.Format {
	for _, s := range t.Profile.Formats {
		if len(s.Versions) == 0 || t.Newest(s.Format) != "" {
			return s.Format
		}
	}
	return t.Profile.DefaultFormat()
}

// ContainerdConfigVersion returns the version of containerd's configuration file that the target reads. It is 2, which
// every containerd reads, where nothing better is known.
func (t Target) ContainerdConfigVersion() int {
	if t.ContainerdVersion != 0 {
		return t.ContainerdVersion
	}
	version := 2
	for _, v := range t.Profile.ContainerdConfig {
		if t.reads(v.Since) {
			version = v.Version
		}
	}
	return version
}
