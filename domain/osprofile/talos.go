package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// talos is Talos Linux: no shell, no package manager and no users. Its only service, machined, reads the machine
// configuration, starts kubelet and containerd, and synchronizes the clock.
func talos() Profile {
	return Profile{
		ID:      "talos",
		Name:    "Talos Linux",
		Family:  FamilyTalos,
		Formats: talosFormats(),
		Shell:   ShellNone,
		// The root is a squashfs. Only /var and the file with additional containerd settings are writable.
		ReadOnly:         []string{"/"},
		Writable:         []string{"/var", "/etc/cri/conf.d/20-customization.part"},
		ContainerRuntime: RuntimeContainerd,
		ContainsRuntime:  true,
		ContainerdConfig: []RuntimeVersion{{Version: 2}, {Since: "1.9", Version: 3}},
		KubernetesRanges: talosKubernetes(),
		Provision:        machine.ProvisionImage,
		Sources: []string{
			"siderolabs/talos pkg/machinery config: ParseContractFromVersion; machine.files only below /var",
			"siderolabs/talos release notes of 1.9: containerd 2.0",
			"docs.siderolabs.com/talos: Architecture; Containerd",
			"siderolabs/talos pkg/machinery 1.14.1, 2026-11: compatibility/talos19 to talos114, the versions of Kubernetes",
		},
	}
}

// talosKubernetes returns the versions of Kubernetes that each release runs.
func talosKubernetes() []KubernetesRange {
	return []KubernetesRange{
		{Release: "1.9", Oldest: "1.27", Newest: "1.32"},
		{Release: "1.10", Oldest: "1.28", Newest: "1.33"},
		{Release: "1.11", Oldest: "1.29", Newest: "1.34"},
		{Release: "1.12", Oldest: "1.30", Newest: "1.35"},
		{Release: "1.13", Oldest: "1.31", Newest: "1.36"},
		{Release: "1.14", Oldest: "1.32", Newest: "1.37"},
	}
}

// talosFormats returns the version contract of each release. A release supports the contracts of earlier releases. The
// contract determines the structure of the output. Talos 1.14 gets the contract of 1.13, and no loader of Talos 1.14
// has read it: pkg/machinery 1.14.1 requires cosi-project/runtime 1.16.3, which could not be downloaded (2026-11).
func talosFormats() []FormatSupport {
	return []FormatSupport{{
		Format: delivery.FormatTalos,
		Versions: []FormatVersion{
			{Since: "1.9", Version: "1.9"},
			{Since: "1.10", Version: "1.10"},
			{Since: "1.11", Version: "1.11"},
			{Since: "1.12", Version: "1.12"},
			{Since: "1.13", Version: "1.13"},
		},
		Source: "siderolabs/talos pkg/machinery 1.13.5: config contracts",
	}}
}
