package linuxcmd

import (
	"path"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/machine"
)

// UnitDir is the directory of the administrator's unit files.
const UnitDir = "/etc/systemd/system"

// UnitFiles returns the unit file and the drop-ins of a unit.
func UnitFiles(u machine.Unit) []machine.File {
	var files []machine.File
	if !u.Content.IsZero() {
		files = append(files, machine.File{Path: UnitDir + "/" + u.Name, Content: u.Content})
	}
	for _, d := range u.DropIns {
		files = append(files, machine.File{Path: UnitDir + "/" + u.Name + ".d/" + d.Name, Content: d.Content})
	}
	return files
}

// BootUnits returns the units that can wait for a bootstrap: the targets of the boot, and the units that start the
// bootstrap program or the agent. While they have a job, a bootstrap must not wait for units that are ordered after
// them.
func BootUnits() []string {
	return []string{
		"multi-user.target", "graphical.target", "cloud-final.service", "cloud-init.target", "cloud-init-main.service",
		"machineadm-bootstrap.service", delivery.ResumeUnit, "machineadm.service",
	}
}

// RuntimeOfData returns the unit of the container runtime that keeps its data in the directory, or an empty string. A
// running system cannot mount over the directories above these.
func RuntimeOfData(directory string) string {
	switch path.Clean(directory) {
	case "/var/lib/containerd":
		return "containerd.service"
	case "/var/lib/containers", "/var/lib/containers/storage":
		return "crio.service"
	default:
		return ""
	}
}

// ReloadUnits makes systemd read unit files and fstab again.
func ReloadUnits() Command { return Command{"systemctl", "daemon-reload"} }

// Systemctl returns a command for one unit: the verb, its options and the unit, whose name may begin with a dash.
func Systemctl(unit string, verb ...string) Command {
	c := Command{"systemctl"}.with(verb...)
	if strings.HasPrefix(unit, "-") {
		c = c.with("--")
	}
	return c.with(unit)
}

// UnitState returns the command that masks, disables or enables the unit, or nil if the unit stays as it is. It also
// stops or starts the unit, unless the unit is restarted later.
func UnitState(u machine.Unit, restartedLater bool) Command {
	switch {
	case u.Masked:
		return Systemctl(u.Name, "mask", "--now")
	case u.Enabled == nil:
		return nil
	case !*u.Enabled:
		return Systemctl(u.Name, "disable", "--now")
	case restartedLater:
		return Systemctl(u.Name, "enable")
	default:
		return Systemctl(u.Name, "enable", "--now")
	}
}

// RestartsOnChange reports whether an active unit is restarted when its files change. Units with RestartOn are
// restarted later. Disabled or masked units are stopped. Targets, slices and mounts need only a daemon-reload.
func RestartsOnChange(u action.EnsureUnit) bool {
	stopped := u.Masked || u.Enabled != nil && !*u.Enabled
	return len(u.RestartOn) == 0 && !stopped &&
		slices.Contains([]string{".service", ".socket", ".timer", ".path"}, path.Ext(u.Name))
}
