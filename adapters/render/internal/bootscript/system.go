package bootscript

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// UnitDir is where unit files of the administrator stand.
const UnitDir = "/etc/systemd/system"

// UnitFiles returns the files of a unit's own text and drop-ins.
func UnitFiles(u machine.Unit) []machine.File {
	var files []machine.File
	if u.Content != "" {
		files = append(files, machine.File{Path: UnitDir + "/" + u.Name, Content: document.Text(u.Content)})
	}
	for _, d := range u.DropIns {
		files = append(files, machine.File{Path: UnitDir + "/" + u.Name + ".d/" + d.Name, Content: document.Text(d.Content)})
	}
	return files
}

// unit writes the unit's files, tells systemd and brings the unit into its state. What has to be restarted is restarted
// once, at the end of the phase.
func (w *writer) unit(s plan.SourcedStep, u action.EnsureUnit) {
	if w.options.UnitsAlreadySet {
		return
	}
	for _, f := range UnitFiles(u.Unit) {
		w.writeFile(s, action.WriteFile{File: f})
	}
	restarted := len(u.RestartOn) > 0
	script := unitState(u.Unit, restarted)
	if !w.reloaded || u.Content != "" || len(u.DropIns) > 0 {
		script = strings.Join(slices.DeleteFunc([]string{"systemctl daemon-reload", script}, empty), "&&")
		w.reloaded = true
	}
	if script != "" {
		w.run(s, script)
	}
	if restarted && !u.Masked {
		w.restart(u.Name, s.Source.Path)
	}
}

func empty(s string) bool { return s == "" }

func unitState(u machine.Unit, restarted bool) string {
	name := Operand(u.Name)
	switch {
	case u.Masked:
		return "systemctl mask --now " + name
	case u.Enabled == nil:
		return ""
	case !*u.Enabled:
		return "systemctl disable --now " + name
	case restarted:
		return "systemctl enable " + name
	default:
		return "systemctl enable --now " + name
	}
}

func (w *writer) restart(unit string, path report.Path) {
	asked := slices.ContainsFunc(w.restarts, func(r restart) bool { return r.unit == unit })
	if !asked {
		w.restarts = append(w.restarts, restart{unit: unit, path: path})
	}
}

func (w *writer) restartUnits() {
	for _, r := range w.restarts {
		w.guarded(document.PhaseUnit, r.path, "systemctl restart "+Operand(r.unit))
	}
	w.restarts = nil
}

// install asks the package manager. Its own exit code decides; first-boot programs ignore it.
func (w *writer) install(s plan.SourcedStep, p action.InstallPackages) {
	commands, ok := packageCommands(w.options.Target.Profile.PackageManager, p.PackagesConfig)
	if !ok {
		w.findings = append(w.findings, report.Errorf(s.Source.Path, "%s has no package manager",
			w.options.Target.Profile.Name).
			To("bring the programs by an image, a system extension or a download"))
		return
	}
	if len(commands) > 0 {
		w.run(s, w.withProxy(strings.Join(commands, "&&")))
	}
}

// packageManager is the spelling of what all package managers do.
type packageManager struct{ update, upgrade, install string }

func packageManagers(m osprofile.PackageManager) (packageManager, bool) {
	switch m {
	case osprofile.PackageManagerAPT:
		apt := "DEBIAN_FRONTEND=noninteractive apt-get -yqo Dpkg::Options::=--force-confold "
		return packageManager{update: apt + "update", upgrade: apt + "upgrade", install: apt + "install"}, true
	case osprofile.PackageManagerDNF:
		return packageManager{update: "dnf -yq makecache", upgrade: "dnf -yq upgrade", install: "dnf -yq install"}, true
	case osprofile.PackageManagerTDNF:
		return packageManager{update: "tdnf -yq makecache", upgrade: "tdnf -yq upgrade", install: "tdnf -yq install"}, true
	case osprofile.PackageManagerZypper:
		return packageManager{update: "zypper -nq refresh", upgrade: "zypper -nq update", install: "zypper -nq install"}, true
	case osprofile.PackageManagerNone:
	}
	return packageManager{}, false
}

func packageCommands(m osprofile.PackageManager, p machine.PackagesConfig) ([]string, bool) {
	manager, ok := packageManagers(m)
	if !ok {
		return nil, false
	}
	var commands []string
	if p.Update {
		commands = append(commands, manager.update)
	}
	if p.Upgrade {
		commands = append(commands, manager.upgrade)
	}
	if len(p.Install) > 0 {
		words := []string{manager.install}
		for _, name := range p.Install {
			words = append(words, Quote(name))
		}
		commands = append(commands, strings.Join(words, " "))
	}
	return commands, true
}
