// Package osprofile holds what is known of operating systems: which first-boot format each reads, up to which version, where
// it lets one write, and which programs keep its time, run its containers and install its packages.
package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// Family groups distributions that behave alike.
type Family string

// The families.
const (
	FamilyFlatcar Family = "flatcar"
	FamilyCoreOS  Family = "coreos"
	FamilyDebian  Family = "debian"
	FamilyRHEL    Family = "rhel"
	FamilySUSE    Family = "suse"
	FamilyPhoton  Family = "photon"
)

// PackageManager installs packages.
type PackageManager string

// The package managers.
const (
	PackageManagerNone   PackageManager = ""
	PackageManagerAPT    PackageManager = "apt"
	PackageManagerDNF    PackageManager = "dnf"
	PackageManagerTDNF   PackageManager = "tdnf"
	PackageManagerZypper PackageManager = "zypper"
)

// ContainerRuntime runs containers for kubelet.
type ContainerRuntime string

// The container runtimes.
const (
	RuntimeContainerd ContainerRuntime = "containerd"
	RuntimeCRIO       ContainerRuntime = "crio"
)

// FormatVersion is the newest version of a format that a release and its successors read.
type FormatVersion struct {
	// Since is the first such release, in the distribution's own numbering; empty means all.
	Since string
	// Version is the format's version, such as 3.4.0.
	Version string
}

// FormatSupport says that an operating system reads a format.
type FormatSupport struct {
	Format delivery.Format
	// Versions are in the order of their releases; none means that the format has no versions.
	Versions []FormatVersion
	// Source is where the fact was found.
	Source string
}

// RuntimeVersion says which version of containerd's configuration a release and its successors read.
type RuntimeVersion struct {
	Since   string
	Version int
}

// Trust says how certificates are added to the system's trust store.
type Trust struct {
	// Directory takes PEM files whose names end in Extension.
	Directory, Extension string
	// Command rebuilds the store.
	Command string
}

// Metadata says where the machine's facts are found when the format does not give them.
type Metadata struct {
	// Unit provides File, an environment file.
	Unit, File string
	// Prefix is that of its variables: COREOS_ or AFTERBURN_.
	Prefix string
}

// Profile is what is known of a distribution.
type Profile struct {
	// ID is the name in spec.os.distribution; it is the ID of os-release(5) where there is one.
	ID string
	// Name is for people.
	Name   string
	Family Family
	// Formats are those that the system reads; the first is the default.
	Formats []FormatSupport
	// ButaneVariant is Butane's name for the distribution; empty if it has none.
	ButaneVariant string
	// ReadOnly are directories that cannot be written, even by root.
	ReadOnly []string
	// NoExec are directories from which no program can be started.
	NoExec []string
	// BinDir is where downloaded programs go.
	BinDir         string
	PackageManager PackageManager
	// NTPPackages are the packages of time daemons that the image may lack.
	TimeDaemon       machine.TimeDaemon
	ContainerRuntime ContainerRuntime
	ContainerdConfig []RuntimeVersion
	Provision        machine.Provision
	// SysextArch maps an architecture to its spelling in the names of system extension images.
	SysextArch map[string]string
	// Updaters are units that update the system and reboot it.
	Updaters []string
	Trust    Trust
	Metadata *Metadata
	SELinux  bool
	// KubeletEnvironment is the file in which kubelet's unit finds further arguments.
	KubeletEnvironment string
	// SudoGroup is the group whose members may use sudo.
	SudoGroup string
	// Sources are where the facts were found.
	Sources []string
}

// Supports returns what is known of the profile and the format.
func (p Profile) Supports(f delivery.Format) (FormatSupport, bool) {
	for _, s := range p.Formats {
		if s.Format == f {
			return s, true
		}
	}
	return FormatSupport{}, false
}

// DefaultFormat returns the format that the operating system reads by itself.
func (p Profile) DefaultFormat() delivery.Format {
	if len(p.Formats) == 0 {
		return ""
	}
	return p.Formats[0].Format
}

// Target is the machine for which a configuration is made: the profile and what was said or found out about this machine.
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
}

// SourcedSnippet is a snippet and where it was written.
type SourcedSnippet struct {
	delivery.Snippet
	Source document.Source
}

// VersionOf returns the newest version of the format that the target's release reads, or the one asked for.
func (t Target) VersionOf(f delivery.Format) string {
	if t.FormatVersion != "" {
		return t.FormatVersion
	}
	support, _ := t.Profile.Supports(f)
	version := ""
	for _, v := range support.Versions {
		if version == "" || t.Release == "" || CompareReleases(t.Release, v.Since) >= 0 {
			version = v.Version
		}
	}
	return version
}

// ContainerdConfigVersion returns the version of containerd's configuration file that the target reads.
func (t Target) ContainerdConfigVersion() int {
	if t.ContainerdVersion != 0 {
		return t.ContainerdVersion
	}
	version := 2
	for _, v := range t.Profile.ContainerdConfig {
		if t.Release == "" || CompareReleases(t.Release, v.Since) >= 0 {
			version = v.Version
		}
	}
	return version
}
