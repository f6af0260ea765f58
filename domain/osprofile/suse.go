package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// sleMicro is SUSE Linux Enterprise Micro: the root is a read-only btrfs snapshot with writable subvolumes, and packages come
// in with transactional-update and a reboot, so that none is installed while a machine boots.
func sleMicro() Profile {
	return Profile{
		ID:     "sle-micro",
		Name:   "SLE Micro",
		Family: FamilySUSE,
		Formats: []FormatSupport{{
			Format:   delivery.FormatIgnition,
			Versions: []FormatVersion{{Version: "3.1.0"}, {Since: "5.3", Version: "3.3.0"}, {Since: "6.0", Version: "3.4.0"}},
			Source:   "SLE Micro Deployment Guide: Configuring with Ignition; cluster-api-provider-rke2 gives it 3.3.0",
		}, {
			Format:   delivery.FormatButane,
			Versions: []FormatVersion{{Version: "1.1.0"}, {Since: "5.3", Version: "1.4.0"}, {Since: "6.0", Version: "1.5.0"}},
			Source:   "coreos/butane: docs/specs.md; SUSE's documentation uses the variant fcos",
		}},
		ButaneVariant:      "fcos",
		ReadOnly:           []string{"/usr", "/bin", "/sbin", "/lib", "/lib64"},
		Writable:           []string{"/usr/local"},
		BinDir:             "/usr/local/bin",
		TimeDaemon:         machine.TimeDaemonChronyd,
		ContainerRuntime:   RuntimeContainerd,
		ContainerdConfig:   []RuntimeVersion{{Version: 2}},
		Provision:          machine.ProvisionImage,
		SysextArch:         systemdArchitectures(),
		Updaters:           []string{"transactional-update.timer", "rebootmgr.service"},
		Trust:              Trust{Directory: "/etc/pki/trust/anchors", Extension: ".pem", Command: "update-ca-certificates"},
		SELinux:            true,
		KubeletEnvironment: "/etc/sysconfig/kubelet",
		SudoGroup:          "wheel",
		Sources: []string{
			"documentation.suse.com/sle-micro/5.5: Default partitioning; Ignition; Transactional updates",
			"update-ca-certificates(8) of SUSE",
		},
	}
}
