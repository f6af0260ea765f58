package osprofile

import "github.com/machineadm/machineadm/domain/machine"

// photon is VMware's Photon OS, which Cluster API's vSphere images are often built from.
func photon() Profile {
	return Profile{
		ID:                 "photon",
		Name:               "Photon OS",
		Family:             FamilyPhoton,
		Formats:            cloudInit("Photon's cloud images: package cloud-init"),
		Shell:              ShellPOSIX,
		BinDir:             "/usr/local/bin",
		PackageManager:     PackageManagerTDNF,
		TimeDaemons:        []machine.TimeDaemon{machine.TimeDaemonTimesyncd, machine.TimeDaemonChronyd},
		ContainerRuntime:   RuntimeContainerd,
		RuntimePackages:    containerdPackage(),
		ContainerdConfig:   []RuntimeVersion{{Version: 2}},
		Provision:          machine.ProvisionImage,
		SysextArch:         systemdArchitectures(),
		Trust:              Trust{Directory: "/etc/ssl/certs", Extension: ".pem", Command: "rehash_ca_certificates.sh"},
		KubeletEnvironment: "/etc/sysconfig/kubelet",
		SudoGroup:          "wheel",
		Sources: []string{
			"Photon OS Administration Guide: tdnf, systemd-timesyncd",
			"vmware/photon SPECS/containerd",
			"kubernetes-sigs/image-builder roles/node/defaults/main.yml, 2026-07-22: chrony in Photon images",
			"Photon OS package openssl-c_rehash: rehash_ca_certificates.sh",
		},
	}
}
