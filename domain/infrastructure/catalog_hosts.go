package infrastructure

import (
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/report"
)

// The names of the kind HostMachine when the field that selects the driver is known, and not only the kind.
const (
	hostMachine             = "HostMachine"
	hostMachineOfHost       = hostMachine + ".hostSelector"
	hostMachineOfNamespaces = hostMachine + ".namespaceMachine"
	hostMachineOfVM         = hostMachine + ".virtualMachine"
)

// HostMachineKind returns the name in the table of a HostMachine with the fields namespaceMachine or virtualMachine. A
// HostMachine with neither of them claims a host of an inventory.
func HostMachineKind(namespaceMachine, virtualMachine bool) string {
	switch {
	case namespaceMachine:
		return hostMachineOfNamespaces
	case virtualMachine:
		return hostMachineOfVM
	default:
		return hostMachineOfHost
	}
}

// hosts: the provider of this project. The kind alone does not determine the driver, which refuses formats that its
// machines do not read with the terminal failure FormatUnsupported.
func hosts() Provider {
	p := hostsWith(hostMachine, cloudInit, ignition, shell)
	p.Notes = []Note{{
		Formats: []delivery.Format{cloudInit, ignition}, Severity: report.Info,
		Message: "hosts of an inventory accept only shell scripts, and fail with FormatUnsupported otherwise",
		Remedy:  "use the format shell, unless the HostMachine has spec.namespaceMachine or spec.virtualMachine",
	}, {
		Formats: []delivery.Format{shell}, Severity: report.Info,
		Message: "virtual machines accept no shell scripts, and fail with FormatUnsupported",
		Remedy:  "use the format of the image, if the HostMachine has spec.virtualMachine",
	}}
	return p
}

func hostsOfInventory() Provider { return hostsWith(hostMachineOfHost, shell) }

func hostsInNamespaces() Provider {
	return hostsWith(hostMachineOfNamespaces, cloudInit, ignition, shell)
}

func hostsInVMs() Provider { return hostsWith(hostMachineOfVM, cloudInit, ignition) }

func hostsWith(kind string, formats ...delivery.Format) Provider {
	return Provider{
		Name: "machineadm's provider for hosts", Kinds: []string{kind}, Keys: ignoresKey(), Formats: formats,
		Data: DataBinary, ProviderIDPrefix: "machineadm-hosts:///",
		Sources: []string{"docs/adr/0075-hosts-are-an-infrastructure-provider.md: the formats of the drivers"},
	}
}
