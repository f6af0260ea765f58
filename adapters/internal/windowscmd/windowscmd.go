// Package windowscmd contains the PowerShell commands that configure Windows, for the bootstrap program and for the
// agent. It is the counterpart of linuxcmd.
package windowscmd

import (
	_ "embed"
	"encoding/base64"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/script"
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

	// state are functions that print the state of the machine.
	//
	//go:embed state.ps1
	state string
)

// Files returns the functions for files. The other functions need them.
func Files() string { return script.Strip(files) }

// Accounts returns the functions that User and Group call.
func Accounts() string { return script.Strip(accounts) }

// Join returns the functions that JoinDomain calls.
func Join() string { return script.Strip(join) }

// Session returns all functions, for a program that logs by printing and has its files in the directory.
func Session(directory string) string {
	return "$state = " + Quote(directory) + "\n" + Files() + "function Write-Log([string]$Text) {\n$Text\n}\n" +
		Accounts() + Join() + script.Strip(state)
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
