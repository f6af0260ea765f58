package bootscript

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// unit writes the unit's files, reloads systemd and sets the unit's state. An active unit is restarted if its files
// changed. Units with RestartOn are restarted once, at the end of the phase.
func (w *writer) unit(s plan.SourcedStep, u action.EnsureUnit) {
	if w.options.UnitsAlreadySet {
		return
	}
	files := linuxcmd.UnitFiles(u.Unit)
	for _, f := range files {
		w.writeFile(s, action.WriteFile{File: f})
	}
	if commands := w.unitCommands(u, len(files) > 0 || slices.Contains(w.options.ChangedUnits, u.Name)); commands != "" {
		w.run(s, commands)
	}
	if len(u.RestartOn) > 0 && !u.Masked {
		w.restart(u.Name, s.Source.Path)
	}
}

// unitCommands returns the commands for the unit. changed reports whether systemd must load its files again.
func (w *writer) unitCommands(u action.EnsureUnit, changed bool) string {
	var commands []string
	if u.Enabled != nil && *u.Enabled && u.Content.IsZero() {
		w.define(script.StripShell(unmaskScript))
		commands = append(commands, "_unmask "+Operand(u.Name))
	}
	if changed || !w.reloaded {
		commands = append(commands, linuxcmd.ReloadUnits().String())
		w.reloaded = true
	}
	if changed && linuxcmd.RestartsOnChange(u) {
		commands = append(commands, "{ ! "+linuxcmd.Systemctl(u.Name, "-q", "is-active").String()+"||"+
			linuxcmd.Systemctl(u.Name, "restart").String()+";}")
	}
	if state := w.unitState(u); state != "" {
		commands = append(commands, state)
	}
	return strings.Join(commands, "&&")
}

// unitState returns the command of linuxcmd.UnitState. It does not wait for a unit that waits for the boot.
func (w *writer) unitState(u action.EnsureUnit) string {
	state := linuxcmd.UnitState(u.Unit, len(u.RestartOn) > 0)
	if !slices.Equal(state, linuxcmd.Systemctl(u.Name, "enable", "--now")) {
		return state.String()
	}
	w.define(strings.Replace(script.StripShell(enableNowScript), "BOOT_UNITS", strings.Join(linuxcmd.BootUnits(), "|"), 1))
	return "_enable_now " + Operand(u.Name)
}

func (w *writer) restart(unit string, path report.Path) {
	queued := slices.ContainsFunc(w.restarts, func(r restart) bool { return r.unit == unit })
	if !queued {
		w.restarts = append(w.restarts, restart{unit: unit, path: path})
	}
}

func (w *writer) restartUnits() {
	for _, r := range w.restarts {
		w.guarded(document.PhaseUnit, r.path, linuxcmd.Systemctl(r.unit, "restart").String())
	}
	w.restarts = nil
}

// installMissing returns the commands that install the packages, unless all are installed. A refresh that the user
// requests runs in both cases, as with the agent.
func (w *writer) installMissing(manager linuxcmd.PackageManager, p action.InstallPackages) string {
	with := func(command string, more []linuxcmd.Command) string {
		for _, c := range more {
			command += "&&" + c.String()
		}
		return command
	}
	environment := w.withProxy("export " + manager.Environment())
	satisfied := manager.Satisfied(p.PackagesConfig)
	switch {
	case satisfied == "":
		return with(environment, manager.Commands(p, p.Install))
	case p.Update:
		refresh := manager.Commands(action.InstallPackages{PackagesConfig: p.PackagesConfig}, nil)
		p.Update, p.Refresh = false, false
		return with(environment, refresh) + "&&{ " + satisfied + "||{ " + with(":", manager.Commands(p, p.Install)) + ";};}"
	default:
		return satisfied + "||{ " + with(environment, manager.Commands(p, p.Install)) + ";}"
	}
}

// install runs the package manager and fails with its exit code, which first-boot programs ignore.
func (w *writer) install(s plan.SourcedStep, p action.InstallPackages) {
	manager, ok := linuxcmd.FindPackageManager(w.options.Target.Profile.PackageManager)
	if !ok {
		w.findings = append(w.findings, report.Errorf(s.Source.Path, "%s has no package manager",
			w.options.Target.Profile.Name).To("install the programs in the image, by a system extension or by a download"))
		return
	}
	if len(manager.Commands(p, p.Install)) == 0 {
		return
	}
	install := w.installMissing(manager, p)
	if p.Unless != "" {
		install = manager.HasProgram(p.Unless, p.Install) + "||{ " + install + ";}"
	}
	w.run(s, install)
}
