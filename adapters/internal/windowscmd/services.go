package windowscmd

import (
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/report"
)

// ServiceName returns the name of the service that a unit names.
func ServiceName(unit string) string { return strings.TrimSuffix(unit, ".service") }

// CheckService returns an error finding for a unit that is not a service of Windows.
func CheckService(u action.EnsureUnit, at report.Path) report.Report {
	isService := strings.HasSuffix(u.Name, ".service") || !strings.Contains(u.Name, ".")
	if u.Content.IsZero() && len(u.DropIns) == 0 && isService {
		return nil
	}
	return report.Report{report.Errorf(at, "Windows has services instead of units; %s cannot be written", u.Name).
		To("create the service with New-Service in preCommands, or in the image")}
}

// Stops reports whether the service is disabled and stopped.
func Stops(u action.EnsureUnit) bool { return u.Masked || u.Enabled != nil && !*u.Enabled }

// Service returns the commands that enable or disable a service, or empty if nothing changes. A service that is
// restarted later is not started.
func Service(u action.EnsureUnit) string {
	service := Quote(ServiceName(u.Name))
	switch {
	case Stops(u):
		return "Set-Service -Name " + service + " -StartupType Disabled; Stop-Service -Name " + service + " -Force"
	case u.Enabled != nil && len(u.RestartOn) > 0:
		return "Set-Service -Name " + service + " -StartupType Automatic"
	case u.Enabled != nil:
		return "Set-Service -Name " + service + " -StartupType Automatic; Start-Service -Name " + service
	default:
		return ""
	}
}
