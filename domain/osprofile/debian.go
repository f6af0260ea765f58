package osprofile

import "github.com/machineadm/machineadm/domain/machine"

// debianLike returns the common properties of Debian and Ubuntu.
func debianLike() Profile {
	return Profile{
		Family:           FamilyDebian,
		Shell:            ShellPOSIX,
		BinDir:           "/usr/local/bin",
		PackageManager:   PackageManagerAPT,
		TimeDaemons:      []machine.TimeDaemon{machine.TimeDaemonTimesyncd, machine.TimeDaemonChronyd},
		ContainerRuntime: RuntimeContainerd,
		Provision:        machine.ProvisionImage,
		SysextArch:       systemdArchitectures(),
		Updaters:         []string{"apt-daily-upgrade.timer", "unattended-upgrades.service"},
		Trust: Trust{
			Directory: "/usr/local/share/ca-certificates", Extension: ".crt",
			Command: "update-ca-certificates",
		},
		KubeletEnvironment: "/etc/default/kubelet",
		SudoGroup:          "sudo",
	}
}

func debian() Profile {
	p := debianLike()
	p.ID, p.Name = "debian", "Debian"
	p.Formats = cloudInit("Debian's cloud images: package cloud-init")
	p.Codenames = debianCodenames()
	p.RuntimePackages = []RuntimePackage{
		{Name: "containerd", Version: "1.4"},
		{Since: "12", Name: "containerd", Version: "1.6"},
		{Since: "13", Name: "containerd", Version: "1.7"},
	}
	p.ContainerdConfig = []RuntimeVersion{{Version: 2}}
	p.Sources = []string{
		"packages containerd 1.4 (bullseye), 1.6 (bookworm) and 1.7 (trixie), systemd-timesyncd, unattended-upgrades",
		"package chrony, 2026-11: it conflicts with time-daemon, which systemd-timesyncd provides",
		"update-ca-certificates(8)",
	}
	return p
}

func ubuntu() Profile {
	p := debianLike()
	p.ID, p.Name = "ubuntu", "Ubuntu"
	p.Formats = cloudInit("Ubuntu's cloud images: package cloud-init")
	p.Codenames = ubuntuCodenames()
	p.RuntimePackages = containerdPackage()
	p.ContainerdConfig = []RuntimeVersion{{Version: 2}, {Since: "25.10", Version: 3}}
	p.Sources = []string{
		"packages containerd 1.7 (24.04) and 2.1 (25.10), systemd-timesyncd, unattended-upgrades",
		"documentation.ubuntu.com/server, 2026-11: chrony by default since 25.10",
		"kubernetes-sigs/image-builder roles/node/defaults/main.yml, 2026-07-22: chrony in Ubuntu images",
		"update-ca-certificates(8)",
	}
	return p
}
