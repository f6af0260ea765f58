package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// flatcar is Flatcar Container Linux: /usr is read-only and verified, there is no package manager, and containerd is in
// the image. Kubernetes is installed as a system extension.
func flatcar() Profile {
	return Profile{
		ID:            "flatcar",
		Name:          "Flatcar",
		Family:        FamilyFlatcar,
		Formats:       flatcarFormats(),
		ButaneVariant: "flatcar",
		Shell:         ShellPOSIX,
		ReadOnly:      []string{"/usr"},
		NoExec:        []string{"/etc"},
		BinDir:        "/opt/bin",
		TimeDaemons: []machine.TimeDaemon{
			machine.TimeDaemonTimesyncd, machine.TimeDaemonChronyd, machine.TimeDaemonNTPD,
		},
		ContainerRuntime: RuntimeContainerd,
		ContainsRuntime:  true,
		ContainerdConfig: []RuntimeVersion{{Version: 2}, {Since: "4459.0.0", Version: 3}},
		Provision:        machine.ProvisionSysext,
		SysextArch:       systemdArchitectures(),
		Updaters:         []string{"update-engine.service", "locksmithd.service"},
		Trust:            Trust{Directory: "/etc/ssl/certs", Extension: ".pem", Command: "update-ca-certificates"},
		Metadata:         &Metadata{Unit: "coreos-metadata.service", File: "/run/metadata/flatcar", Prefix: "COREOS_"},
		// The kubernetes system extension's unit reads this file, not /etc/default/kubelet.
		KubeletEnvironment: "/etc/sysconfig/kubelet",
		SudoGroup:          "sudo",
		Sources: []string{
			"flatcar/Flatcar issue 387: Ignition 3 since 3185.0.0",
			"flatcar/Flatcar issue 1261: Ignition 2.15 in all of November 2023's channels but LTS 2022",
			"flatcar/Flatcar issue 2166: /etc is mounted noexec since 4628",
			"flatcar.org/docs: Adding certificate authorities; Metadata; Systemd-sysext",
			"node status of 4459.2.3: containerd 2.0.7",
			"flatcar/scripts changelog 2024-03-28-ntp-chrony: ntpd on AWS and GCE, chronyd on Azure; oem-stackit, 2026-11: " +
				"chronyd with /etc/chrony/chrony.conf",
		},
	}
}

func flatcarFormats() []FormatSupport {
	return []FormatSupport{{
		Format: delivery.FormatIgnition,
		// Ignition supports newer specifications, too, but there is no stable Butane variant of Flatcar for them.
		Versions: []FormatVersion{{Since: "3185.0.0", Version: "3.3.0"}, {Since: "3602.0.0", Version: "3.4.0"}},
		Source:   "flatcar/Flatcar issues 387 and 1261; Butane specification flatcar 1.1.0",
	}, {
		Format:   delivery.FormatIgnitionV2,
		Versions: []FormatVersion{{Version: "2.3.0"}},
		Source:   "flatcar/ignition 0.36; later releases translate it when they boot (flatcar/Flatcar issue 387)",
	}, {
		Format:   delivery.FormatButane,
		Versions: []FormatVersion{{Since: "3185.0.0", Version: "1.0.0"}, {Since: "3602.0.0", Version: "1.1.0"}},
		Source:   "coreos/butane: docs/specs.md",
	}}
}
