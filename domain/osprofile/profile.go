// Package osprofile describes operating systems: the supported first-boot formats and their versions, writable
// directories, the time daemon, the container runtime and the package manager.
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
	// FamilyTalos has no shell, no users and no package manager. Its configuration format contains all settings.
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
	PackageManagerYUM    PackageManager = "yum"
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
	// ShellNone means that the machine cannot run commands. Its format contains all settings.
	ShellNone Shell = "none"
)

// RunsKubeadm reports whether machines join with kubeadm, which verifies the cluster with pins of its CA. Machines
// without a shell join by themselves and need the CA certificate instead.
func (p Profile) RunsKubeadm() bool { return p.Shell != ShellNone }

// InstallsItself reports whether the system installs itself to a disk when the machine boots from an ISO image or the
// network. The disks of other systems contain them before the first boot.
func (p Profile) InstallsItself() bool { return p.Family == FamilyTalos }

// FormatVersion is the newest version of a format that a release and its successors read.
type FormatVersion struct {
	// Since is the first such release, in the numbering of the distribution; empty means all releases.
	Since string
	// Version is the format's version, such as 3.4.0.
	Version string
}

// FormatSupport describes an operating system's support for a format.
type FormatSupport struct {
	Format delivery.Format
	// Versions are in the order of their releases; none means that the format has no versions.
	Versions []FormatVersion
	// Source is the reference for this fact.
	Source string
}

// RuntimeVersion is the version of containerd's configuration that a release and its successors read.
type RuntimeVersion struct {
	Since   string
	Version int
}

// Trust describes how certificates are added to the system's trust store. It is empty if the store does not consist of
// files.
type Trust struct {
	// Directory is the directory for PEM files, whose names must end in Extension.
	Directory, Extension string
	// Command rebuilds the store.
	Command string
}

// Metadata describes the source of facts on systems whose format does not provide them.
type Metadata struct {
	// Unit provides File, an environment file.
	Unit, File string
	// Prefix is the prefix of its variables: COREOS_ or AFTERBURN_.
	Prefix string
}

// Profile describes a distribution.
type Profile struct {
	// ID is the value of spec.os.distribution. It is the ID of os-release(5), if the system has that file.
	ID string
	// Name is the name in messages and documents.
	Name   string
	Family Family
	// Codenames maps the names of releases to their numbers. A system without them has only numbers.
	Codenames map[string]string
	// DefaultRelease is the oldest release that machines without a release may have. It is empty if all releases that
	// still get updates read the same formats.
	DefaultRelease string
	// Formats are the formats that the system reads, the default first, and Butane if it can be translated to one of
	// them.
	Formats []FormatSupport
	// ButaneVariant is Butane's name for the distribution, or empty if it has none.
	ButaneVariant string
	// Shell runs the commands of the first boot.
	Shell Shell
	// ReadOnly are directories that even root cannot write. Writable are exceptions below them.
	ReadOnly, Writable []string
	// NoExec are directories from which some releases cannot start programs.
	NoExec []string
	// BinDir is the directory for downloaded programs, or empty if the system cannot start them.
	BinDir         string
	PackageManager PackageManager
	// TimeDaemons are the time daemons that images of the system may contain, the distribution's default first. Which one
	// runs is detected on the machine. It is empty if the operating system synchronizes the clock itself.
	TimeDaemons []machine.TimeDaemon
	// ContainerRuntime is the container runtime that the image contains, or that is usually installed with Kubernetes.
	ContainerRuntime ContainerRuntime
	// ContainsRuntime means that every image, or the extension with Kubernetes, contains ContainerRuntime. Otherwise the
	// builder of the image chooses the runtime, and kubeadm detects it.
	ContainsRuntime bool
	// RuntimePackages are the packages of containerd, in the order of the releases.
	RuntimePackages []RuntimePackage
	// ContainerdConfig contains the version of containerd's configuration for each release, in the order of the
	// releases. The default is version 2, which containerd 1.x and 2.x support.
	ContainerdConfig []RuntimeVersion
	// KubernetesRanges are the versions of Kubernetes that the releases run, in the order of the releases. Releases that
	// are not in the list run any version.
	KubernetesRanges []KubernetesRange
	// Provision is the default of KubernetesConfig.Provision.
	Provision machine.Provision
	// SysextArch maps an architecture to its name in the file names of system extension images, or nil if the system does
	// not support them.
	SysextArch map[string]string
	// Updaters are the units that update the system automatically, possibly with a reboot.
	Updaters []string
	Trust    Trust
	Metadata *Metadata
	// SELinux means that files have SELinux labels and that policy may be enforced.
	SELinux bool
	// KubeletEnvironment is the environment file with further arguments of kubelet's unit, or empty if there is none.
	KubeletEnvironment string
	// SudoGroup is the group whose members may use sudo; empty on systems without sudo.
	SudoGroup string
	// Sources are the references for these facts.
	Sources []string
}

// Supports returns the system's support for the format. It is false if the system does not read the format.
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
