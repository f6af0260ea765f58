package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// talos is Talos Linux: no shell, no package manager and no users. Its one program reads the machine configuration,
// brings kubelet and containerd up, and keeps the time.
func talos() Profile {
	return Profile{
		ID:      "talos",
		Name:    "Talos Linux",
		Family:  FamilyTalos,
		Formats: talosFormats(),
		Shell:   ShellNone,
		// The root is a squashfs; of it only /var can be written, and the one file by which containerd is tuned.
		ReadOnly:         []string{"/"},
		Writable:         []string{"/var", "/etc/cri/conf.d/20-customization.part"},
		ContainerRuntime: RuntimeContainerd,
		ContainerdConfig: []RuntimeVersion{{Version: 2}, {Since: "1.9", Version: 3}},
		Provision:        machine.ProvisionImage,
		Sources: []string{
			"siderolabs/talos pkg/machinery config: ParseContractFromVersion; machine.files only below /var",
			"siderolabs/talos release notes of 1.9: containerd 2.0",
			"docs.siderolabs.com/talos: Architecture; Containerd",
		},
	}
}

// talosFormats has the version contract of each release. A release reads the contracts of those before it; the shape of
// what is written follows the contract.
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
