package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// suseMicro returns the common properties of SUSE's systems with a read-only root: the root is a btrfs snapshot with
// writable subvolumes. Packages need transactional-update and a reboot, so machineadm installs none.
func suseMicro(id, name string) Profile {
	return Profile{
		ID:                 id,
		Name:               name,
		Family:             FamilySUSE,
		ButaneVariant:      "fcos",
		Shell:              ShellPOSIX,
		ReadOnly:           []string{"/usr", "/bin", "/sbin", "/lib", "/lib64"},
		Writable:           []string{"/usr/local"},
		BinDir:             "/usr/local/bin",
		TimeDaemons:        []machine.TimeDaemon{machine.TimeDaemonChronyd},
		ContainerRuntime:   RuntimeContainerd,
		ContainerdConfig:   []RuntimeVersion{{Version: 2}},
		Provision:          machine.ProvisionImage,
		SysextArch:         systemdArchitectures(),
		Updaters:           []string{"transactional-update.timer", "rebootmgr.service"},
		Trust:              Trust{Directory: "/etc/pki/trust/anchors", Extension: ".pem", Command: "update-ca-certificates"},
		SELinux:            true,
		KubeletEnvironment: "/etc/sysconfig/kubelet",
		SudoGroup:          "wheel",
	}
}

// suse returns the common properties of openSUSE Leap and SUSE Linux Enterprise Server: a writable root and zypper.
// Leap 16 and SLES 16 enforce SELinux, and earlier releases have AppArmor.
func suse(id, name, source string) Profile {
	p := suseMicro(id, name)
	p.ButaneVariant, p.ReadOnly, p.Writable = "", nil, nil
	p.Formats = cloudInit(source)
	p.PackageManager = PackageManagerZypper
	p.RuntimePackages = containerdPackage()
	p.Updaters = nil
	p.Sources = []string{
		source,
		"doc.opensuse.org and documentation.suse.com, release notes of 15.6 and 16.0, 2026-11: chrony, SELinux in 16",
		"package containerd of openSUSE Leap, and of SLES 15 in the Containers Module",
		"update-ca-certificates(8) of SUSE",
	}
	return p
}

// leap is openSUSE Leap 15.6 and 16.
func leap() Profile {
	return suse("opensuse-leap", "openSUSE Leap",
		"get.opensuse.org/leap, 2026-11: Minimal-VM Cloud images with cloud-init")
}

// sles is SUSE Linux Enterprise Server 15 and 16.
func sles() Profile {
	return suse("sles", "SUSE Linux Enterprise Server",
		"documentation.suse.com/sles, 2026-11: Minimal-VM Cloud images with cloud-init")
}

// sleMicro is SUSE Linux Enterprise Micro, now called SUSE Linux Micro.
func sleMicro() Profile {
	p := suseMicro("sle-micro", "SLE Micro")
	p.Formats = suseMicroFormats("SLE Micro Deployment Guide: Configuring with Ignition; " +
		"cluster-api-provider-rke2 gives it 3.3.0")
	p.Sources = []string{
		"documentation.suse.com/sle-micro/5.5: Default partitioning; Ignition; Transactional updates",
		"SUSE Linux Micro 6.0 release notes, 2026-11: the ID of os-release(5) is sl-micro",
		"update-ca-certificates(8) of SUSE",
	}
	return p
}

// leapMicro has SLE Micro's packages under the same release numbers.
func leapMicro() Profile {
	p := suseMicro("opensuse-leap-micro", "openSUSE Leap Micro")
	p.Formats = suseMicroFormats("en.opensuse.org Portal:Leap Micro/Maintenance: it inherits the packages of SLE Micro")
	p.Sources = []string{
		"en.opensuse.org Portal:Leap Micro; Portal:MicroOS/Ignition; Portal:MicroOS/Combustion",
		"documentation.suse.com/sle-micro/5.5: Default partitioning; Transactional updates",
		"update-ca-certificates(8) of SUSE",
	}
	return p
}

// microOS is openSUSE MicroOS. It has no releases but dated snapshots of Tumbleweed, and two kinds of images: those for
// clouds have cloud-init, all others Ignition and Combustion.
func microOS() Profile {
	p := suseMicro("opensuse-microos", "openSUSE MicroOS")
	p.Formats = microOSFormats()
	p.Sources = []string{
		"en.opensuse.org Portal:MicroOS/Design: read-only root, subvolumes, overlay on /etc",
		"en.opensuse.org Portal:MicroOS: Combustion and Ignition; cloud-init in images for clouds",
		"update-ca-certificates(8) of SUSE",
	}
	return p
}

func suseMicroFormats(source string) []FormatSupport {
	return []FormatSupport{{
		Format:   delivery.FormatIgnition,
		Versions: []FormatVersion{{Version: "3.1.0"}, {Since: "5.3", Version: "3.3.0"}, {Since: "6.0", Version: "3.4.0"}},
		Source:   source,
	}, {
		Format:   delivery.FormatButane,
		Versions: []FormatVersion{{Version: "1.1.0"}, {Since: "5.3", Version: "1.4.0"}, {Since: "6.0", Version: "1.5.0"}},
		Source:   "coreos/butane: docs/specs.md; SUSE's documentation uses the variant fcos",
	}}
}

// microOSFormats returns the newest specification that snapshots of recent years support. Older snapshots cannot run a
// supported Kubernetes version.
func microOSFormats() []FormatSupport {
	return []FormatSupport{{
		Format:   delivery.FormatIgnition,
		Versions: []FormatVersion{{Version: "3.4.0"}},
		Source:   "en.opensuse.org Portal:MicroOS/Ignition; Tumbleweed has had Ignition 2.15 and later since 2023",
	}, {
		Format: delivery.FormatCloudInit,
		Source: "en.opensuse.org Portal:MicroOS: cloud-init in images for clouds",
	}, {
		Format:   delivery.FormatButane,
		Versions: []FormatVersion{{Version: "1.5.0"}},
		Source:   "coreos/butane: docs/specs.md; SUSE's documentation uses the variant fcos",
	}}
}
