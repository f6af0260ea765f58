package linuxcmd

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// Noninteractive is the environment variable that keeps dpkg from asking questions. AwaitLock is the one with which
// zypper waits for its lock for up to five minutes, instead of failing (zypper(8)). Other package managers ignore them.
const (
	Noninteractive = "DEBIAN_FRONTEND=noninteractive"
	AwaitLock      = "ZYPP_LOCK_TIMEOUT=300"
)

// awaitScript runs a command when the locks of dpkg and apt are free.
//
//go:embed await.sh
var awaitScript string

// awaitLocks returns a command that runs c when the locks of dpkg and apt are free, for up to five minutes.
func awaitLocks(c Command) Command {
	return Command{"sh", "-c", script.StripShell(awaitScript), "sh"}.with(c...)
}

// skipScript runs zypper. The exit code 106 is a success: zypper installed the packages, and skipped a repository whose
// lists cannot be refreshed (zypper(8)).
const skipScript = `"$@";_code=$?;[ $_code = 106 ]||exit $_code`

// PackageManager contains the commands of a package manager.
type PackageManager struct {
	ID osprofile.PackageManager
	// repair completes an interrupted installation. The managers of RPM packages do not need it.
	repair Command
	// status prints a line with the status and the version of the packages that are added to it.
	status                   Command
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
			ID: osprofile.PackageManagerAPT, repair: awaitLocks(Command{"dpkg", "--force-confold", "--configure", "-a"}),
			status: Command{"dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}\n", "--"},
			update: awaitLocks(apt.with("update")), upgrade: apt.with("upgrade"), install: apt.with("install"),
		},
		rpm(osprofile.PackageManagerTDNF, "tdnf"), rpm(osprofile.PackageManagerDNF, "dnf"),
		rpm(osprofile.PackageManagerYUM, "yum"),
		{
			ID:     osprofile.PackageManagerZypper,
			update: Command{"zypper", "-nq", "refresh"}, upgrade: Command{"zypper", "-nq", "update"},
			install: Command{"sh", "-c", skipScript, "sh", "zypper", "-nq", "install"},
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

// Environment returns the environment variable that the commands need.
func (m PackageManager) Environment() string {
	if m.ID == osprofile.PackageManagerZypper {
		return AwaitLock
	}
	return Noninteractive
}

// Program returns the name of the manager's program.
func (m PackageManager) Program() string { return m.upgrade[0] }

// Status returns the command that prints the status and the version of a package. It is nil for managers of RPM
// packages.
func (m PackageManager) Status(name string) Command {
	if m.status == nil {
		return nil
	}
	return m.status.with(name)
}

// interruptedStates returns the beginnings of the status of a package whose installation was interrupted after its
// programs may have been unpacked, as in dpkg-query(1).
func interruptedStates() []string { return []string{"half-", "unpacked"} }

// Interrupted reports whether the output of Status is that of a package whose installation was interrupted.
func Interrupted(status string) bool {
	return slices.ContainsFunc(slices.Collect(strings.Lines(status)), func(line string) bool {
		return slices.ContainsFunc(interruptedStates(), func(state string) bool { return strings.HasPrefix(line, state) })
	})
}

// HasProgram returns the shell condition that the machine has the program, and that no installation of the packages,
// which contain it, was interrupted.
func (m PackageManager) HasProgram(program string, packages []string) string {
	condition := "command -v " + action.Quote(program) + ">/dev/null"
	if m.status == nil {
		return condition
	}
	return condition + "&&! " + m.status.with(packages...).String() + " 2>/dev/null|grep -q '^\\(" +
		strings.Join(interruptedStates(), "\\|") + "\\)'"
}

// warnScript runs a command and reports its failure as a warning.
const warnScript = `"$@"||echo "warning: the package lists are not refreshed: exit code $?">&2`

// refresh returns the command that refreshes the package lists. Its failure is a warning: the image may have a
// repository that does not exist any more, and what needs the lists fails itself. Only an upgrade with old lists would
// succeed and upgrade nothing.
func (m PackageManager) refresh(p machine.PackagesConfig) Command {
	if p.Upgrade {
		return m.update
	}
	return Command{"sh", "-c", warnScript, "sh"}.with(m.update...)
}

// Commands returns the commands that apply the operation on a machine without the missing packages.
func (m PackageManager) Commands(p action.InstallPackages, missing []string) []Command {
	var commands []Command
	if m.repair != nil && (p.Upgrade || len(missing) > 0) {
		commands = append(commands, m.repair)
	}
	if p.Update || p.Refresh {
		commands = append(commands, m.refresh(p.PackagesConfig))
	}
	if p.Upgrade {
		commands = append(commands, m.upgrade)
	}
	if len(missing) > 0 {
		commands = append(commands, m.install.with(missing...))
	}
	return commands
}
