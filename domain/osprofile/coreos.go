package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// coreos returns the common properties of Fedora CoreOS and RHEL CoreOS: an ostree with a read-only /usr, whose
// /usr/local links to /var; enforced SELinux; chronyd; afterburn.
func coreos() Profile {
	return Profile{
		Family:             FamilyCoreOS,
		Shell:              ShellPOSIX,
		ReadOnly:           []string{"/usr"},
		Writable:           []string{"/usr/local"},
		BinDir:             "/usr/local/bin",
		TimeDaemons:        []machine.TimeDaemon{machine.TimeDaemonChronyd},
		ContainerRuntime:   RuntimeCRIO,
		ContainsRuntime:    true,
		ContainerdConfig:   []RuntimeVersion{{Version: 2}},
		SysextArch:         systemdArchitectures(),
		Trust:              redHatTrust(),
		Metadata:           &Metadata{Unit: "afterburn.service", File: "/run/metadata/afterburn", Prefix: "AFTERBURN_"},
		SELinux:            true,
		KubeletEnvironment: "/etc/sysconfig/kubelet",
		SudoGroup:          "wheel",
	}
}

// fedoraCoreOS installs Kubernetes with a system extension that also contains CRI-O.
func fedoraCoreOS() Profile {
	p := coreos()
	p.ID, p.Name, p.ButaneVariant = "fedora-coreos", "Fedora CoreOS", "fcos"
	p.Formats = fedoraCoreOSFormats()
	// An image of an earlier release refuses a newer specification, and updates itself only after its first boot.
	p.DefaultRelease = "43"
	p.Provision = machine.ProvisionSysext
	p.Updaters = []string{"zincati.service"}
	p.Sources = []string{
		"docs.fedoraproject.org/en-US/fedora-coreos: Storage, Auto-updates, Afterburn",
		"travier/fedora-coreos-kubernetes: system extensions kubernetes-cri-o",
		"coreos/ignition docs/specs.md: the release that first reads each specification",
		"fedorapeople.org/groups/schedule, 2026-11: releases since Fedora 43 get updates",
	}
	return p
}

// fedoraCoreOSFormats returns the Fedora release for each Ignition specification since which all streams support it.
func fedoraCoreOSFormats() []FormatSupport {
	return []FormatSupport{{
		Format: delivery.FormatIgnition,
		Versions: []FormatVersion{
			{Version: "3.0.0"},
			{Since: "32", Version: "3.1.0"},
			{Since: "33", Version: "3.2.0"},
			{Since: "35", Version: "3.3.0"},
			{Since: "38", Version: "3.4.0"},
			{Since: "42", Version: "3.5.0"},
			{Since: "44.20260501", Version: "3.6.0"},
		},
		Source: "coreos/ignition: docs/release-notes.md; coreos/fedora-coreos-config: overrides",
	}, {
		Format: delivery.FormatButane,
		Versions: []FormatVersion{
			{Version: "1.0.0"},
			{Since: "32", Version: "1.1.0"},
			{Since: "33", Version: "1.3.0"},
			{Since: "35", Version: "1.4.0"},
			{Since: "38", Version: "1.5.0"},
			{Since: "42", Version: "1.6.0"},
			{Since: "44.20260501", Version: "1.7.0"},
		},
		Source: "coreos/butane: docs/specs.md",
	}}
}

// rhcos is RHEL CoreOS. It contains CRI-O and kubelet but not kubeadm. The cluster manages its updates.
func rhcos() Profile {
	p := coreos()
	p.ID, p.Name, p.ButaneVariant = "rhcos", "RHEL CoreOS", "openshift"
	p.Formats = rhcosFormats()
	p.Provision = machine.ProvisionDownload
	p.Sources = []string{
		"coreos/butane config/openshift: the specification that each OpenShift release reads",
		"coreos/ignition README: Ignition 2 since RHEL CoreOS 46.82",
	}
	return p
}

func rhcosFormats() []FormatSupport {
	return []FormatSupport{{
		Format: delivery.FormatIgnition,
		Versions: []FormatVersion{
			{Since: "4.6", Version: "3.1.0"},
			{Since: "4.7", Version: "3.2.0"},
			{Since: "4.14", Version: "3.4.0"},
			{Since: "4.19", Version: "3.5.0"},
			{Since: "4.22", Version: "3.6.0"},
		},
		Source: "coreos/butane: config/openshift",
	}, {
		Format: delivery.FormatButane,
		Versions: []FormatVersion{
			{Since: "4.8", Version: "4.8.0"},
			{Since: "4.9", Version: "4.9.0"},
			{Since: "4.10", Version: "4.10.0"},
			{Since: "4.11", Version: "4.11.0"},
			{Since: "4.12", Version: "4.12.0"},
			{Since: "4.13", Version: "4.13.0"},
			{Since: "4.14", Version: "4.14.0"},
			{Since: "4.15", Version: "4.15.0"},
			{Since: "4.16", Version: "4.16.0"},
			{Since: "4.17", Version: "4.17.0"},
			{Since: "4.18", Version: "4.18.0"},
			{Since: "4.19", Version: "4.19.0"},
			{Since: "4.20", Version: "4.20.0"},
			{Since: "4.21", Version: "4.21.0"},
			{Since: "4.22", Version: "4.22.0"},
		},
		Source: "coreos/butane: config/config.go",
	}}
}
