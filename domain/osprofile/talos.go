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
		Provision:        machine.ProvisionImage,
		Sources: []string{
			"siderolabs/talos pkg/machinery config: ParseContractFromVersion; machine.files only below /var",
			"siderolabs/talos release notes of 1.9: containerd 2.0",
			"docs.siderolabs.com/talos: Architecture; Containerd",
		},
	}
}

// talosFormats returns the version contract of each release. A release supports the contracts of earlier releases. The
// contract determines the structure of the output.
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
		Source: "siderolabs/talos pkg/machinery 1.13.0: config contracts",
	}}
}
