package machinescript

import (
	_ "embed"
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/internal/script"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// user creates or changes the user, then sets the password, the keys and the sudoers file.
func (b *builder) user(s plan.SourcedStep, u machine.User) {
	if strings.HasSuffix(u.Sudo, `\`) {
		b.findings = append(b.findings, report.Errorf(s.Source.Path,
			"a backslash at the end of a sudo rule joins it with the next rule").To("remove it"))
		return
	}
	parts := []string{accountScript(u)}
	for _, part := range []string{passwordScript(u), addKeys(u), addSudoers(u)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if safeHome(u) != "" {
		b.functions = append(b.functions, bootscript.Enter())
	}
	if len(u.SSHAuthorizedKeys) > 0 {
		b.functions = append(b.functions, bootscript.As(), keysFunction())
	}
	if u.Sudo != "" {
		b.functions = append(b.functions, script.StripShell(sudoersScript))
	}
	b.command(s, strings.Join(parts, "&&"))
}

// accountScript creates or changes the account. An existing group with the user's name becomes the primary group,
// because useradd(8) cannot create it again.
func accountScript(u machine.User) string {
	name, safe := bootscript.Quote(u.Name), safeHome(u)
	change := ":"
	if c := linuxcmd.Usermod(u); c != nil {
		change = c.String()
	}
	if u.UID != nil {
		change = bootscript.CheckUID(u) + "&&" + change
	}
	sameGroup := ""
	if u.PrimaryGroup == "" {
		named := u
		named.PrimaryGroup = u.Name
		sameGroup = "elif getent group " + name + ">/dev/null;then " + safe + linuxcmd.Useradd(named).String() + ";"
	}
	return "if getent passwd " + name + ">/dev/null;then " + change + ";" + sameGroup + "else " + safe +
		linuxcmd.Useradd(u).String() + ";fi"
}

// safeHome returns code that fails if another user can exchange the new home directory: useradd(8) opens it by its
// path.
func safeHome(u machine.User) string {
	if u.Home == "" || u.NoCreateHome || path.Dir(u.Home) == "/home" {
		return ""
	}
	return "{ [ -e " + bootscript.Quote(u.Home) + " ]||(_enter_private " + bootscript.Quote(path.Dir(u.Home)) + ");}&&"
}

// passwordScript sets the password field of shadow(5).
func passwordScript(u machine.User) string {
	if u.PasswordHash.IsZero() && !u.Unlocked {
		return ""
	}
	return bootscript.SetPassword(u)
}

// The files define _add_keys, the script that it runs as the user, and _add_sudoers.
var (
	//go:embed keys.sh
	keysScript string
	//go:embed authorized-keys.sh
	authorizedKeysScript string
	//go:embed sudoers.sh
	sudoersScript string
)

// keysFunction returns the function _add_keys and the script that it runs as the user.
func keysFunction() string {
	return "_authorized_keys=" + bootscript.Quote(script.StripShell(authorizedKeysScript)) + "\n" +
		script.StripShell(keysScript)
}

// addKeys adds the missing keys.
func addKeys(u machine.User) string {
	if len(u.SSHAuthorizedKeys) == 0 {
		return ""
	}
	command := "_add_keys " + bootscript.Quote(u.Name)
	for _, key := range u.SSHAuthorizedKeys {
		command += " " + bootscript.Quote(key)
	}
	return command
}

// addSudoers writes the user's sudoers file.
func addSudoers(u machine.User) string {
	if u.Sudo == "" {
		return ""
	}
	file := linuxcmd.SudoersFile(u)
	content, _ := file.Content.Static()
	return "_add_sudoers " + bootscript.Quote(file.Path) + " " + bootscript.Quote(linuxcmd.Temporary(file.Path)) + " " +
		bootscript.Quote(string(content))
}
