package linuxcmd

import (
	"slices"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// Noninteractive is the environment variable that keeps dpkg from asking questions. Other package managers ignore it.
const Noninteractive = "DEBIAN_FRONTEND=noninteractive"

// PackageManager contains the commands of a package manager.
type PackageManager struct {
	ID osprofile.PackageManager
	// repair completes an interrupted installation. The managers of RPM packages do not need it.
	repair                   Command
	update, upgrade, install Command
}

// PackageManagers returns all package managers. On a system with tdnf and dnf, tdnf is the system's own.
func PackageManagers() []PackageManager {
	// Unattended upgrades at boot hold the dpkg lock, so apt waits for up to five minutes.
	apt := Command{
		"apt-get", "-yq", "-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=300",
	}
	return []PackageManager{
		{
			ID: osprofile.PackageManagerAPT, repair: Command{"dpkg", "--force-confold", "--configure", "-a"},
			update: apt.with("update"), upgrade: apt.with("upgrade"), install: apt.with("install"),
		},
		rpm(osprofile.PackageManagerTDNF, "tdnf"), rpm(osprofile.PackageManagerDNF, "dnf"),
		rpm(osprofile.PackageManagerYUM, "yum"),
		{
			ID:     osprofile.PackageManagerZypper,
			update: Command{"zypper", "-nq", "refresh"}, upgrade: Command{"zypper", "-nq", "update"},
			install: Command{"zypper", "-nq", "install"},
		},
	}
}

func rpm(id osprofile.PackageManager, program string) PackageManager {
	c := Command{program, "-yq"}
	return PackageManager{ID: id, update: c.with("makecache"), upgrade: c.with("upgrade"), install: c.with("install")}
}

// FindPackageManager returns the package manager, and whether there is one.
func FindPackageManager(id osprofile.PackageManager) (PackageManager, bool) {
	all := PackageManagers()
	i := slices.IndexFunc(all, func(m PackageManager) bool { return m.ID == id })
	if i < 0 {
		return PackageManager{}, false
	}
	return all[i], true
}

// Program returns the name of the manager's program.
func (m PackageManager) Program() string { return m.install[0] }

// Commands returns the commands that apply the document.
func (m PackageManager) Commands(p machine.PackagesConfig) []Command {
	var commands []Command
	if m.repair != nil && (p.Upgrade || len(p.Install) > 0) {
		commands = append(commands, m.repair)
	}
	if p.Update {
		commands = append(commands, m.update)
	}
	if p.Upgrade {
		commands = append(commands, m.upgrade)
	}
	if len(p.Install) > 0 {
		commands = append(commands, m.install.with(p.Install...))
	}
	return commands
}
