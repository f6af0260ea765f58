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

// oracleLinux is named by its ID of os-release(5).
func oracleLinux() Profile {
	p := rhelLike("ol", "Oracle Linux")
	p.Sources = append(p.Sources, "kubernetes-sigs/image-builder packer/oci/oracle-linux-9.json, 2026-07-22: images with "+
		"cloud-init for Oracle Cloud", "docs.oracle.com/en/operating-systems/oracle-linux 8 to 10, 2026-11")
	return p
}

// fedora is Fedora Linux with packages. Its cloud images do not update themselves.
func fedora() Profile {
	p := rhelLike("fedora", "Fedora Linux")
	p.RuntimePackages = containerdPackage()
	p.Updaters = []string{"dnf5-automatic.timer", "dnf-automatic.timer", "dnf-automatic-install.timer"}
	p.Sources = append(p.Sources, "docs.fedoraproject.org: Fedora Cloud; dnf5-automatic(8), 2026-11",
		"packages.fedoraproject.org: containerd")
	return p
}

// openEuler has the ID openEuler in os-release(5). Distributions are lower case here.
func openEuler() Profile {
	p := rhelLike("openeuler", "openEuler")
	p.RuntimePackages = containerdPackage()
	p.Sources = append(p.Sources, "docs.openeuler.org 24.03 LTS, 2026-11: dnf, chrony, cloud images with cloud-init; "+
		"package containerd")
	return p
}

// azureLinux is Azure Linux 3, formerly CBL-Mariner. Its images for Azure do not update themselves.
func azureLinux() Profile {
	p := rhelLike("azurelinux", "Azure Linux")
	p.PackageManager = PackageManagerTDNF
	p.RuntimePackages = []RuntimePackage{{Name: "containerd2"}}
	p.ContainerdConfig = []RuntimeVersion{{Version: 2}}
	p.Sources = append(p.Sources,
		"microsoft/azurelinux SPECS: tdnf, chrony, ca-certificates, cloud-init, containerd2, 2026-11",
		"kubernetes-sigs/image-builder packer/azure/azurelinux-3.json, 2026-07-22")
	return p
}

// amazonLinux2 has the package manager yum. Its repositories are locked to a release. Its kernels have cgroup v1, which
// kubelet 1.35 refuses unless failCgroupV1 is false.
func amazonLinux2() Profile {
	p := rhelLike("amazon-linux-2", "Amazon Linux 2")
	p.PackageManager, p.Updaters = PackageManagerYUM, []string{"yum-cron.service"}
	p.Sources = append(p.Sources, "docs.aws.amazon.com/linux/al2, 2026-11: yum, chrony by default, cloud-init",
		"kubernetes/kubernetes CHANGELOG-1.35: failCgroupV1")
	return p
}

// amazonLinux2023 has no automatic updates, because its repositories are locked to a release.
func amazonLinux2023() Profile {
	p := rhelLike("amazon-linux-2023", "Amazon Linux 2023")
	p.Updaters = nil
	p.RuntimePackages = containerdPackage()
	p.Sources = append(p.Sources, "docs.aws.amazon.com/linux/al2023: deterministic upgrades; SELinux modes; chrony",
		"docs.aws.amazon.com/linux/al2023/release-notes: package containerd")
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
