package osprofile

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// windowsServer returns the common properties of the Windows Server releases that can be Kubernetes workers. Windows
// Setup reads an answer file from the media or the image. Cloud images contain cloudbase-init.
func windowsServer(id, name string) Profile {
	return Profile{
		ID:     id,
		Name:   name,
		Family: FamilyWindows,
		Formats: []FormatSupport{{
			Format: delivery.FormatUnattend,
			Source: "learn.microsoft.com: Windows Setup Configuration Passes; Unattended Windows Setup Reference",
		}, {
			Format: delivery.FormatCloudbaseInit,
			Source: "cloudbase-init.readthedocs.io: Userdata; kubernetes-sigs/image-builder installs it into its Windows images",
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
			"kubernetes-sigs/sig-windows-tools: PrepareNode.ps1",
			"learn.microsoft.com: Windows Time service (w32time)",
		},
	}
}

func windowsServer2022() Profile { return windowsServer("windows-server-2022", "Windows Server 2022") }

func windowsServer2025() Profile { return windowsServer("windows-server-2025", "Windows Server 2025") }
