package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Group is a group of users.
type Group struct {
	Name string `json:"name"`
	// GID is the numeric identifier; nil lets the system choose.
	GID *int `json:"gid,omitempty"`
	// System asks for an identifier below the range of ordinary groups.
	System bool `json:"system,omitempty"`
}

// Kind returns KindGroup.
func (Group) Kind() document.Kind { return KindGroup }

// Check finds names and identifiers that no machine accepts.
func (g Group) Check(p report.Path) report.Report {
	r := checkName(p.Field("name"), g.Name)
	return append(r, checkID(p.Field("gid"), g.GID)...)
}

// User is a user account.
type User struct {
	Name string `json:"name"`
	// UID is the numeric identifier; nil lets the system choose.
	UID *int `json:"uid,omitempty"`
	// Comment is the GECOS field.
	Comment string `json:"gecos,omitempty"`
	// PrimaryGroup and Groups must exist by the time the user is made.
	PrimaryGroup string   `json:"primaryGroup,omitempty"`
	Groups       []string `json:"groups,omitempty"`
	// Home is the home directory; empty means the system's default.
	Home string `json:"homeDir,omitempty"`
	// NoCreateHome leaves the home directory unmade.
	NoCreateHome bool `json:"noCreateHome,omitempty"`
	// Shell is the login shell; empty means the system's default.
	Shell string `json:"shell,omitempty"`
	// System asks for an identifier below the range of ordinary users.
	System bool `json:"system,omitempty"`
	// PasswordHash is a crypt(3) hash such as $6$salt$hash. Empty locks the password unless Unlocked.
	PasswordHash secret.Value `json:"passwordHash,omitempty"`
	// Password is the password itself, for an operating system that takes no hash: Windows. It excludes PasswordHash.
	Password secret.Value `json:"password,omitempty"`
	// Unlocked leaves the password usable; without it only keys log in.
	Unlocked bool `json:"unlocked,omitempty"`
	// Inactive disables the account.
	Inactive bool `json:"inactive,omitempty"`
	// SSHAuthorizedKeys are lines of authorized_keys.
	SSHAuthorizedKeys []string `json:"sshAuthorizedKeys,omitempty"`
	// Sudo is one rule of sudoers without the user's name, such as ALL=(ALL) NOPASSWD:ALL.
	Sudo string `json:"sudo,omitempty"`
}

// Kind returns KindUser.
func (User) Kind() document.Kind { return KindUser }

// Check finds fields that would break the lines of passwd, shadow, authorized_keys or sudoers.
func (u User) Check(p report.Path) report.Report {
	r := checkName(p.Field("name"), u.Name)
	r = append(r, checkID(p.Field("uid"), u.UID)...)
	r = append(r, checkPasswdField(p.Field("gecos"), u.Comment)...)
	if u.PrimaryGroup != "" {
		r = append(r, checkName(p.Field("primaryGroup"), u.PrimaryGroup)...)
	}
	for i, g := range u.Groups {
		r = append(r, checkName(p.Field("groups").Index(i), g)...)
	}
	if u.Home != "" {
		r = append(r, checkPath(p.Field("homeDir"), u.Home)...)
		r = append(r, checkPasswdField(p.Field("homeDir"), u.Home)...)
	}
	if u.Shell != "" {
		r = append(r, checkPath(p.Field("shell"), u.Shell)...)
		r = append(r, checkPasswdField(p.Field("shell"), u.Shell)...)
	}
	for i, k := range u.SSHAuthorizedKeys {
		r = append(r, checkAuthorizedKey(p.Field("sshAuthorizedKeys").Index(i), k)...)
	}
	r = append(r, checkPasswordHash(p.Field("passwordHash"), u.PasswordHash)...)
	r = append(r, u.checkPassword(p.Field("password"))...)
	return append(r, checkLine(p.Field("sudo"), u.Sudo)...)
}

func (u User) checkPassword(p report.Path) report.Report {
	if !u.Password.IsZero() && !u.PasswordHash.IsZero() {
		return report.Report{report.Errorf(p, "the hash of a password is given as well").To("remove one of them")}
	}
	return checkLine(p, string(u.Password.Reveal()))
}
