// Package osprofile holds what is known of operating systems: which first-boot format each reads, up to which version,
// where it lets one write, and which programs keep its time, run its containers and install its packages.
package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
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
	// FamilyTalos has no shell, no users and no package manager: its own configuration contains everything.
	FamilyTalos Family = "talos"
	// FamilyBottlerocket has no shell either; only its settings can be configured.
	FamilyBottlerocket Family = "bottlerocket"
	// FamilyWindows has drive letters, services and PowerShell.
	FamilyWindows Family = "windows"
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

// Shell is the program that runs commands on a machine while it boots.
type Shell string

// The shells.
const (
	// ShellPOSIX is sh(1).
	ShellPOSIX Shell = "posix"
	// ShellPowerShell is Windows PowerShell 5.1.
	ShellPowerShell Shell = "powershell"
	// ShellNone means that a machine runs no command: its format contains everything.
	ShellNone Shell = "none"
)

// RunsKubeadm reports whether machines join with kubeadm, for which pins of the cluster's CA are enough and a
// certificate would be in the way. One that runs no command joins by itself, and has to be given the certificate.
func (p Profile) RunsKubeadm() bool { return p.Shell != ShellNone }

// FormatVersion is the newest version of a format that a release and its successors read.
type FormatVersion struct {
	// Since is the first such release, in the distribution's own numbering; empty means all.
	Since string
	// Version is the format's version, such as 3.4.0.
	Version string
}

// FormatSupport describes an operating system's support for a format.
type FormatSupport struct {
	Format delivery.Format
	// Versions are in the order of their releases; none means that the format has no versions.
	Versions []FormatVersion
	// Source is where the fact was found.
	Source string
}

// RuntimeVersion is the version of containerd's configuration that a release and its successors read.
type RuntimeVersion struct {
	Since   string
	Version int
}

// Trust describes how certificates are added to the system's trust store. It is empty where they are not files.
type Trust struct {
	// Directory takes PEM files whose names end in Extension.
	Directory, Extension string
	// Command rebuilds the store.
	Command string
}

// Metadata describes where the machine's facts are found when the format does not provide them.
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
	// Formats are those that the system reads, the default first, and Butane where it translates to one of them.
	Formats []FormatSupport
	// ButaneVariant is Butane's name for the distribution; empty if it has none.
	ButaneVariant string
	// Shell runs the commands of the first boot.
	Shell Shell
	// ReadOnly are directories that cannot be written, even by root; Writable are places below them that can.
	ReadOnly, Writable []string
	// NoExec are directories from which, in some release, no program can be started.
	NoExec []string
	// BinDir is where downloaded programs go; empty if none can be started.
	BinDir         string
	PackageManager PackageManager
	// TimeDaemon is the one that the image has; empty where the system itself keeps the time.
	TimeDaemon machine.TimeDaemon
	// ContainerRuntime is the one that the image, or the usual way to bring Kubernetes onto it, has.
	ContainerRuntime ContainerRuntime
	// ContainerdConfig is in the order of the releases. Version 2 is read by both containerd 1.x and 2.x, so it applies
	// wherever a release is not known to have 2.x.
	ContainerdConfig []RuntimeVersion
	// Provision is the source of Kubernetes unless the user sets another.
	Provision machine.Provision
	// SysextArch maps an architecture to its spelling in the names of system extension images; nil if there are none.
	SysextArch map[string]string
	// Updaters are units that update the system by themselves, and some of them reboot it.
	Updaters []string
	Trust    Trust
	Metadata *Metadata
	// SELinux means that files have SELinux labels and that policy may be enforced.
	SELinux bool
	// KubeletEnvironment is the file in which kubelet's unit finds further arguments; empty if there is none.
	KubeletEnvironment string
	// SudoGroup is the group whose members may use sudo; empty where there is no sudo.
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
