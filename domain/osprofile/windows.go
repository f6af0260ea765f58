package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// windowsServer returns the common properties of the Windows Server releases that can be Kubernetes workers. Images for
// clouds contain cloudbase-init, which reads userdata. Windows Setup reads an answer file from the media or the image.
func windowsServer(id, name string) Profile {
	return Profile{
		ID:     id,
		Name:   name,
		Family: FamilyWindows,
		Formats: []FormatSupport{{
			Format: delivery.FormatCloudbaseInit,
			Source: "cloudbase-init.readthedocs.io: Userdata; kubernetes-sigs/image-builder installs it into its Windows images",
		}, {
			Format: delivery.FormatUnattend,
			Source: "learn.microsoft.com: Windows Setup Configuration Passes; Unattended Windows Setup Reference",
		}},
		Shell:            ShellPowerShell,
		BinDir:           `C:\k`,
		TimeDaemons:      []machine.TimeDaemon{machine.TimeDaemonW32Time},
		ContainerRuntime: RuntimeContainerd,
		ContainsRuntime:  true,
		ContainerdConfig: []RuntimeVersion{{Version: 2}},
		Provision:        machine.ProvisionImage,
		// The Windows Update service, and the Update Orchestrator, which reboots.
		Updaters: []string{"wuauserv.service", "usosvc.service"},
		Sources: []string{
			"kubernetes-sigs/image-builder ansible/windows: programs in C:\\k, containerd 1.7 as a service",
			"kubernetes-sigs/image-builder packer/azure and packer/oci, 2026-07-22: images of 2019, 2022 and 2025",
			"kubernetes-sigs/sig-windows-tools: PrepareNode.ps1",
			"learn.microsoft.com: Windows Time service (w32time)",
		},
	}
}

func windowsServer2019() Profile { return windowsServer("windows-server-2019", "Windows Server 2019") }

func windowsServer2022() Profile { return windowsServer("windows-server-2022", "Windows Server 2022") }

func windowsServer2025() Profile { return windowsServer("windows-server-2025", "Windows Server 2025") }
