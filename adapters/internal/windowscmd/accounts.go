package windowscmd

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/report"
)

// maxAccountName is how long a local user's name may be (learn.microsoft.com: New-LocalUser).
const maxAccountName = 20

// Group returns the command that creates the group, unless it exists.
func Group(g machine.Group) string { return "Set-Group " + Quote(g.Name) }

// CheckGroup returns error findings for settings that Windows groups do not support.
func CheckGroup(g machine.Group, at report.Path) report.Report {
	if g.GID == nil && !g.System {
		return nil
	}
	return report.Report{report.Errorf(at, "Windows does not support numbers of groups").To("leave gid and system out")}
}

// User returns the commands that create a local account, or change an existing one. Without a password it gets a random
// one, so that only its keys log in.
func User(u machine.User) string {
	script := "$account = Get-AccountName " + Quote(u.Name)
	switch {
	case !u.Password.IsZero():
		script += "; Set-Password $account " + Quote(string(u.Password.Reveal()))
	default:
		script += "; Set-RandomPassword $account"
	}
	if u.Comment != "" {
		script += "; Set-LocalUser -Name $account -FullName " + Quote(u.Comment)
	}
	for _, g := range u.Groups {
		script += "; Add-Member $account " + Quote(g)
	}
	if u.Inactive {
		script += "; Disable-LocalUser -Name $account"
	}
	return script
}

// administratorKeys is where OpenSSH looks for the keys of all administrators (learn.microsoft.com: Key-based
// authentication in OpenSSH for Windows).
const administratorKeys = `C:\ProgramData\ssh\administrators_authorized_keys`

// Keys returns the file with the keys of all administrators. The user's keys are appended to it.
func Keys(u machine.User) machine.File {
	content := document.Text(strings.Join(u.SSHAuthorizedKeys, "\r\n") + "\r\n")
	return machine.File{Path: administratorKeys, Content: content, Append: true, Mode: machine.SecretFileMode}
}

// IsAdministrator reports whether the user is the built-in administrator or a member of the group Administrators.
func IsAdministrator(u machine.User) bool {
	return u.Name == "Administrator" || slices.Contains(u.Groups, "Administrators")
}

// CanOwn reports whether files on Windows can belong to the owner. The owner root means SYSTEM and the administrators.
func CanOwn(o machine.Owner) bool {
	return (o.User == "" || o.User == "root") && (o.Group == "" || o.Group == "root")
}

// IsPrivate reports whether only SYSTEM and the administrators may read a path with the mode.
func IsPrivate(mode machine.Mode) bool { return mode&0o007 == 0 }

// CheckUser returns error findings for settings that Windows accounts do not support.
func CheckUser(u machine.User, at report.Path) report.Report {
	var r report.Report
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"uid", u.UID != nil},
		{"primaryGroup", u.PrimaryGroup != ""},
		{"homeDir", u.Home != ""},
		{"noCreateHome", u.NoCreateHome},
		{"shell", u.Shell != ""},
		{"system", u.System},
		{"sudo", u.Sudo != ""},
	} {
		if field.given {
			r = append(r, report.Errorf(at.Field(field.name), "Windows accounts have no %s", field.name).To("leave it out"))
		}
	}
	if !u.PasswordHash.IsZero() {
		r = append(r, report.Errorf(at.Field("passwordHash"), "Windows does not accept password hashes").To(
			"set the password itself, from a Secret"))
	}
	if len(u.Name) > maxAccountName || strings.HasSuffix(u.Name, ".") {
		r = append(r, report.Errorf(
			at.Field("name"), "%q is not a valid Windows account: use at most %d characters and no dot at the end", u.Name,
			maxAccountName,
		))
	}
	if machine.IsDeviceName(u.Name) {
		r = append(r, report.Errorf(at.Field("name"), "%q is the name of a device on Windows", u.Name).To("use another name"))
	}
	if len(u.SSHAuthorizedKeys) > 0 && !IsAdministrator(u) {
		r = append(r, report.Errorf(at.Field("sshAuthorizedKeys"),
			"Windows creates the profile for the keys of %s at the first login", u.Name).
			To("add the group Administrators, or write the keys in a logon script"))
	}
	return r
}
