package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

func redHatTrust() Trust {
	return Trust{Directory: "/etc/pki/ca-trust/source/anchors", Extension: ".crt", Command: "update-ca-trust"}
}

// rhelLike returns the common properties of Red Hat Enterprise Linux and the distributions built from its sources.
func rhelLike(id, name string) Profile {
	return Profile{
		ID:                 id,
		Name:               name,
		Family:             FamilyRHEL,
		Formats:            cloudInit("the distribution's cloud images: package cloud-init"),
		Shell:              ShellPOSIX,
		BinDir:             "/usr/local/bin",
		PackageManager:     PackageManagerDNF,
		TimeDaemons:        []machine.TimeDaemon{machine.TimeDaemonChronyd},
		ContainerRuntime:   RuntimeContainerd,
		ContainerdConfig:   []RuntimeVersion{{Version: 2}},
		Provision:          machine.ProvisionImage,
		SysextArch:         systemdArchitectures(),
		Updaters:           []string{"dnf-automatic.timer", "dnf-automatic-install.timer"},
		Trust:              redHatTrust(),
		SELinux:            true,
		KubeletEnvironment: "/etc/sysconfig/kubelet",
		SudoGroup:          "wheel",
		Sources: []string{
			"update-ca-trust(8), dnf-automatic(8), chronyd(8)",
			"kubernetes/release: the kubelet package's drop-in 10-kubeadm.conf for RPM systems",
		},
	}
}

func rhel() Profile { return rhelLike("rhel", "RHEL") }

func rockyLinux() Profile { return rhelLike("rocky", "Rocky Linux") }

func almaLinux() Profile { return rhelLike("almalinux", "AlmaLinux") }

func centOS() Profile { return rhelLike("centos", "CentOS Stream") }

// amazonLinux2023 has no automatic updates, because its repositories are locked to a release.
func amazonLinux2023() Profile {
	p := rhelLike("amazon-linux-2023", "Amazon Linux 2023")
	p.Updaters = nil
	p.Sources = append(p.Sources, "docs.aws.amazon.com/linux/al2023: deterministic upgrades; SELinux modes; chrony")
	return p
}

// rhelEdge is RHEL for Edge: an ostree that Ignition sets up.
func rhelEdge() Profile {
	p := rhelLike("rhel-edge", "RHEL for Edge")
	p.ButaneVariant = "r4e"
	p.Formats = []FormatSupport{{
		Format:   delivery.FormatIgnition,
		Versions: []FormatVersion{{Since: "9.0", Version: "3.3.0"}, {Since: "9.2", Version: "3.4.0"}},
		Source:   "coreos/butane issue 434: RHEL 9.2 has Ignition 2.15",
	}, {
		Format:   delivery.FormatButane,
		Versions: []FormatVersion{{Since: "9.0", Version: "1.0.0"}, {Since: "9.2", Version: "1.1.0"}},
		Source:   "coreos/butane: docs/specs.md, variant r4e",
	}}
	p.ReadOnly, p.Writable = []string{"/usr"}, []string{"/usr/local"}
	p.PackageManager = PackageManagerNone
	p.Updaters = []string{"rpm-ostreed-automatic.timer"}
	p.Sources = append(p.Sources, "rpm-ostree(1); coreos/butane issue 434")
	return p
}
