package shell

import (
	"path"
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// sudoers holds the rules of the plan's users. Sudo skips files whose names hold a dot, so users have no file of their
// own name.
const sudoers = "/etc/sudoers.d/90-machineadm"

// groupScript makes the group. One that is there must have the number that is asked for.
func groupScript(g machine.Group) string {
	name := bootscript.Quote(g.Name)
	flags := ""
	if g.System {
		flags = "-r "
	}
	if g.GID == nil {
		return "getent group " + name + ">/dev/null||groupadd " + flags + name
	}
	id := strconv.Itoa(*g.GID)
	return "if getent group " + name + ">/dev/null;then [ \"$(getent group " + name + "|cut -d: -f3)\" = " + id + " ]" +
		"||{ echo 'the group has another number'>&2;false;};else groupadd " + flags + "-g " + id + " " + name + ";fi"
}

// user makes the user or brings one in line that the image has, then sets password, keys and rule.
func (b *builder) user(s plan.SourcedStep, u machine.User) {
	if strings.HasSuffix(u.Sudo, `\`) {
		b.findings = append(b.findings, report.Errorf(s.Source.Path,
			"a backslash at the end of a rule of sudo joins the next one").
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

// accountScript makes the account. A group of the same name, which useradd refuses to make again, becomes the primary
// one. An account without a password gets the mark that no password matches: sshd(8) takes useradd's own for a locked
// account.
func accountScript(u machine.User) string {
	name := bootscript.Quote(u.Name)
	flags := common(u)
	add, modify := safeHome(u)+"useradd -p '*'", "usermod"
	if u.System {
		add += " -r"
	}
	if u.NoCreateHome {
		add += " -M"
	} else {
		add += " -m"
	}
	if len(u.Groups) > 0 {
		groups := bootscript.Quote(strings.Join(u.Groups, ","))
		add += " -G " + groups
		modify += " -aG " + groups
	}
	change := ":"
	if modify+flags != "usermod" {
		change = modify + flags + " " + name
	}
	own := ""
	if u.PrimaryGroup == "" {
		own = "elif getent group " + name + ">/dev/null;then " + add + flags + " -g " + name + " " + name + ";"
		flags += " -U"
	}
	return "if getent passwd " + name + ">/dev/null;then " + change + ";" + own + "else " + add + flags +
		" " + name + ";fi"
}

// safeHome returns what fails where another user can exchange the home directory that useradd(8) makes by its name.
func safeHome(u machine.User) string {
	if u.Home == "" || u.NoCreateHome || path.Dir(u.Home) == "/home" {
		return ""
	}
	return "{ [ -e " + bootscript.Quote(u.Home) + " ]||(_r " + bootscript.Quote(path.Dir(u.Home)) + ");}&&"
}

// common returns the flags that useradd and usermod share.
func common(u machine.User) string {
	flags := ""
	add := func(flag, value string) {
		if value != "" {
			flags += " " + flag + " " + bootscript.Quote(value)
		}
	}
	if u.UID != nil {
		add("-u", strconv.Itoa(*u.UID))
	}
	add("-c", u.Comment)
	add("-d", u.Home)
	add("-g", u.PrimaryGroup)
	add("-s", u.Shell)
	if u.Inactive {
		add("-e", "1970-01-02")
	}
	return flags
}

// passwordScript sets the field of the shadow file.
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

// keysScript adds the keys that are not there yet. It acts as the user, who can exchange what stands in the home
// directory for a link; only what the user may not make in a home directory of root's, root makes.
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

// addKeys adds the lines of its input to the file, by way of another that takes its place.
const addKeys = `mkdir -p "$_h/.ssh"&&chmod 700 "$_h/.ssh"&&cd "$_h/.ssh"&&_k=.authorized_keys.machineadm-new&&rm -f $_k&&` +
	`{ [ ! -e authorized_keys ]||awk 1 authorized_keys>$_k;}&&while IFS= read -r _l;do ` +
	`grep -qxFse "$_l" $_k||printf '%s\n' "$_l">>$_k||exit 1;done&&` +
	`mv -f $_k authorized_keys`

// sudoScript adds the user's rule. A name in capitals would be an alias, so it is quoted. A file that sudo cannot read
// would lock everybody out, so visudo(8) looks at it where there is one.
func sudoScript(u machine.User) string {
	if u.Sudo == "" {
		return ""
	}
	name := u.Name
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		name = `"` + name + `"`
	}
	return "mkdir -p /etc/sudoers.d&&(umask 077&&printf '%s\\n' " + bootscript.Quote(name+" "+u.Sudo) + ">>" + sudoers +
		")&&chmod 440 " + sudoers +
		"&&{ ! command -v visudo>/dev/null||visudo -cqf " + sudoers + "||{ rm -f " + sudoers + ";false;};}"
}
