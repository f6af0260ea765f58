package shell

import (
	"path"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// user creates or changes the user, then sets the password, the keys and the sudoers file.
func (b *builder) user(s plan.SourcedStep, u machine.User) {
	if strings.HasSuffix(u.Sudo, `\`) {
		b.findings = append(b.findings, report.Errorf(s.Source.Path,
			"a backslash at the end of a sudo rule joins it with the next rule").
			To("remove it"))
		return
	}
	parts := []string{accountScript(u)}
	for _, part := range []string{passwordScript(u), keysScript(u), sudoScript(u)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	script := strings.Join(parts, "&&")
	if safeHome(u) != "" {
		b.functions = append(b.functions, bootscript.Enter)
	}
	if len(u.SSHAuthorizedKeys) > 0 {
		b.functions = append(b.functions, bootscript.As)
	}
	b.command(s, script)
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
	return "{ [ -e " + bootscript.Quote(u.Home) + " ]||(_r " + bootscript.Quote(path.Dir(u.Home)) + ");}&&"
}

// passwordScript sets the password field of shadow(5).
func passwordScript(u machine.User) string {
	switch {
	case !u.PasswordHash.IsZero():
		return bootscript.SetPassword(u)
	case u.Unlocked:
		return "passwd -d " + bootscript.Quote(u.Name)
	default:
		return ""
	}
}

// keysScript adds the missing keys. It runs as the user, because the user can replace files in the home directory with
// links. Root creates only what the user may not create in a home directory of root.
func keysScript(u machine.User) string {
	if len(u.SSHAuthorizedKeys) == 0 {
		return ""
	}
	name := bootscript.Quote(u.Name)
	words := make([]string, len(u.SSHAuthorizedKeys))
	for i, key := range u.SSHAuthorizedKeys {
		words[i] = bootscript.Quote(key)
	}
	home := "_h=$(getent passwd " + name + `|cut -d: -f6)&&[ "$_h" ]&&`
	return home + "_g=$(id -g " + name + `)&&{ [ -e "$_h" ]||mkdir -p "$_h";}&&{ [ "$(stat -Lc %u "$_h")" != 0 ]||` +
		`{ mkdir -p "$_h/.ssh"&&chown -h ` + name + `:"$_g" "$_h/.ssh";};}&&(umask 077&&printf '%s\n' ` +
		strings.Join(words, " ") + ">" + bootscript.Stage + ")&&_a \"$(id -u " + name + `)" "$_g" ` +
		bootscript.Quote(home+addKeys) + "<" + bootscript.Stage + "&&rm -f " + bootscript.Stage
}

// addKeys adds the lines of its input to a copy of the file, and renames the copy.
const addKeys = `mkdir -p "$_h/.ssh"&&chmod 700 "$_h/.ssh"&&cd "$_h/.ssh"&&_k=.authorized_keys.machineadm-new&&rm -f ` +
	`$_k&&` +
	`{ [ ! -e authorized_keys ]||awk 1 authorized_keys>$_k;}&&while IFS= read -r _l;do ` +
	`grep -qxFse "$_l" $_k||printf '%s\n' "$_l">>$_k||exit 1;done&&` +
	`mv -f $_k authorized_keys`

// sudoScript writes the user's sudoers file. visudo(8) checks it first if it is installed, because sudo refuses all
// users if it cannot parse a file.
func sudoScript(u machine.User) string {
	if u.Sudo == "" {
		return ""
	}
	rule := linuxcmd.SudoersFile(u)
	content, _ := rule.Content.Static()
	at, next := bootscript.Quote(rule.Path), bootscript.Quote(linuxcmd.Temporary(rule.Path))
	return "mkdir -p " + bootscript.Quote(path.Dir(rule.Path)) + "&&rm -f " + next + "&&(umask 077&&printf %s " +
		bootscript.Quote(string(content)) + ">" + next + ")&&chmod 0440 " + next +
		"&&{ ! command -v visudo>/dev/null||visudo -cqf " + next + "||{ rm -f " + next + ";false;};}&&mv -f " + next +
		" " + at
}
