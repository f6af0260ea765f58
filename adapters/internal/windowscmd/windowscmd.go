// Package windowscmd contains the PowerShell commands that configure Windows, for the bootstrap program and for the
// agent. It is the counterpart of linuxcmd.
package windowscmd

import (
	_ "embed"
	"encoding/base64"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
)

// The functions that the commands call.
var (
	// files are functions for files.
	//
	//go:embed files.ps1
	files string

	// accounts are functions for local accounts.
	//
	//go:embed accounts.ps1
	accounts string

	// join are functions for a domain.
	//
	//go:embed join.ps1
	join string

	// network are functions for the network.
	//
	//go:embed network.ps1
	network string

	// state are functions that print the state of the machine.
	//
	//go:embed state.ps1
	state string

	// task are functions for the program that runs at each start of Windows.
	//
	//go:embed task.ps1
	task string
)

// The programs, and the parts that they share.
var (
	// settings are the variables that all programs share.
	//
	//go:embed settings.ps1
	settings string

	// run runs one script of the user.
	//
	//go:embed run.ps1
	run string

	// boot runs the commands for every boot.
	//
	//go:embed boot.ps1
	boot string

	// resume starts the agent at each start of Windows.
	//
	//go:embed resume.ps1
	resume string
)

// Settings returns the variables that all programs share.
func Settings() string { return script.Strip(settings) }

// Run returns the program that runs the script of its argument: an error ends it, and its exit code is that of the
// script or of the last program that the script ran.
func Run() string { return script.Strip(run) }

// BootScripts returns the end of a program that runs the commands for every boot. It needs Settings.
func BootScripts() string { return script.Strip(boot) }

// Resume returns the program that runs at each start of Windows once the agent has begun.
func Resume() string { return Settings() + script.Strip(resume) + BootScripts() }

// Call returns the script that starts a program with arguments.
func Call(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = action.QuotePowerShell(w)
	}
	return "& " + strings.Join(words, " ") + "\n"
}

// Files returns the functions for files. The other functions need them.
func Files() string { return script.Strip(files) }

// Accounts returns the functions that User and Group call.
func Accounts() string { return script.Strip(accounts) }

// Network returns the function Get-PrivateIPv4.
func Network() string { return script.Strip(network) }

// Task returns the functions Register-Program and Unregister-Program.
func Task() string { return script.Strip(task) }

// Join returns the functions that JoinDomain calls.
func Join() string { return script.Strip(join) }

// Session returns all functions, for a program that logs by printing and has its files in the directory.
func Session(directory string) string {
	return "$state = " + Quote(directory) + "\n" + Files() + "function Write-Log([string]$Text) {\n$Text\n}\n" +
		Accounts() + Join() + Network() + script.Strip(state) + Task()
}

// SetLocale returns the commands that set the language of a machine, which takes effect after a reboot.
func SetLocale(locale string) []string {
	return []string{"Set-WinSystemLocale -SystemLocale " + Quote(locale), "Set-Culture -CultureInfo " + Quote(locale)}
}

// Rename returns the command that sets the name of a machine, which takes effect after a reboot.
func Rename(name string) string {
	return "if ($env:COMPUTERNAME -ne " + Quote(name) + ") { Rename-Computer -NewName " + Quote(name) + " -Force }"
}

// JoinDomain returns the command that makes the machine a member of the domain. It takes effect after a reboot.
func JoinDomain(j machine.DomainJoin) string {
	if data := j.OfflineData(); data != "" {
		return "Join-DomainOffline " + Quote(data)
	}
	user := j.Username
	if !strings.ContainsAny(user, `\@`) {
		user = j.Domain + `\` + user
	}
	return strings.Join([]string{
		"Join-Domain", Quote(j.Domain), Quote(j.OrganizationalUnit), Quote(user), Quote(string(j.Password.Reveal())),
	}, " ")
}

// Quote returns s as one argument of PowerShell: printable ASCII without < in single quotes, other text as an
// expression that decodes base64. PowerShell also treats some non-ASCII characters as quotes.
func Quote(s string) string {
	if strings.IndexFunc(s, Special) < 0 {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return "(ConvertFrom-Base64Text '" + base64.StdEncoding.EncodeToString([]byte(s)) + "')"
}

// Special reports whether a character must be encoded. EC2Launch looks for tags in the text of a script.
func Special(r rune) bool { return r < ' ' || r > '~' || r == '<' }
