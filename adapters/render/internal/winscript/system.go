package winscript

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// maxAccountName is how long a local user's name may be (learn.microsoft.com: New-LocalUser).
const maxAccountName = 20

// service brings a service of Windows into its state. What has to be restarted is restarted once, at the end of the
// phase.
func (w *writer) service(s plan.SourcedStep, u action.EnsureUnit) {
	name, isService := strings.CutSuffix(u.Name, ".service")
	if !u.Content.IsZero() || len(u.DropIns) > 0 || (!isService && strings.Contains(u.Name, ".")) {
		w.find(report.Errorf(s.Source.Path, "Windows has services instead of units; %s cannot be written", u.Name).
			To("create the service with New-Service in preCommands, or in the image"))
		return
	}
	service := Quote(name)
	switch {
	case u.Masked || (u.Enabled != nil && !*u.Enabled):
		w.run(s, "Set-Service -Name "+service+" -StartupType Disabled; Stop-Service -Name "+service+" -Force")
		return
	case u.Enabled != nil && len(u.RestartOn) > 0:
		w.run(s, "Set-Service -Name "+service+" -StartupType Automatic")
	case u.Enabled != nil:
		w.run(s, "Set-Service -Name "+service+" -StartupType Automatic; Start-Service -Name "+service)
	}
	if len(u.RestartOn) > 0 {
		w.restart(name, s.Source.Path)
	}
}

func (w *writer) restart(service string, path report.Path) {
	requested := slices.ContainsFunc(w.restarts, func(r restart) bool { return r.service == service })
	if !requested {
		w.restarts = append(w.restarts, restart{service: service, path: path})
	}
}

func (w *writer) restartServices() {
	for _, r := range w.restarts {
		w.guarded(document.PhaseUnit, r.path, "Restart-Service -Name "+Quote(r.service)+" -Force")
	}
	w.restarts = nil
}

func (w *writer) group(s plan.SourcedStep, g machine.Group) {
	if g.GID != nil || g.System {
		w.find(report.Errorf(s.Source.Path, "Windows does not support numbers of groups").To(
			"leave gid and system out"))
		return
	}
	w.run(s, "Set-Group "+Quote(g.Name))
}

// user makes a local account, or brings an existing one in line. Without a password it gets a random one, so that only
// its keys log in.
func (w *writer) user(s plan.SourcedStep, u machine.User) {
	if r := CheckUser(u, s.Source.Path); len(r) > 0 {
		w.findings = append(w.findings, r...)
		return
	}
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
	w.run(s, script)
	w.keys(s, u)
}

// administratorKeys is where OpenSSH looks for the keys of all administrators (learn.microsoft.com: Key-based
// authentication in OpenSSH for Windows).
const administratorKeys = `C:\ProgramData\ssh\administrators_authorized_keys`

func (w *writer) keys(s plan.SourcedStep, u machine.User) {
	if len(u.SSHAuthorizedKeys) == 0 {
		return
	}
	content := document.Text(strings.Join(u.SSHAuthorizedKeys, "\r\n") + "\r\n")
	w.writeFile(s, machine.File{Path: administratorKeys, Content: content, Append: true, Mode: machine.SecretFileMode})
}

// IsAdministrator reports whether the user is the built-in administrator or a member of the group Administrators.
func IsAdministrator(u machine.User) bool {
	return u.Name == "Administrator" || slices.Contains(u.Groups, "Administrators")
}

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
	if len(u.SSHAuthorizedKeys) > 0 && !IsAdministrator(u) {
		r = append(r, report.Errorf(at.Field("sshAuthorizedKeys"),
			"Windows creates the profile for the keys of %s at the first login", u.Name).
			To("add the group Administrators, or write the keys in a logon script"))
	}
	return r
}
