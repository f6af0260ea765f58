package machine

import (
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// Group creates a group.
type Group struct {
	// Name is the name of the group.
	Name string `json:"name"`
	// GID is the numeric ID. Default: chosen by the system.
	GID *int `json:"gid,omitempty"`
	// System selects an ID below the range of ordinary groups.
	System bool `json:"system,omitempty"`
}

// Kind returns KindGroup.
func (Group) Kind() document.Kind { return KindGroup }

// Check returns error findings for invalid names and IDs.
func (g Group) Check(p report.Path) report.Report {
	r := checkName(p.Field("name"), g.Name)
	return append(r, checkID(p.Field("gid"), g.GID)...)
}

// User is a user account.
type User struct {
	// Name is the login name.
	Name string `json:"name"`
	// UID is the numeric ID. Default: chosen by the system.
	UID *int `json:"uid,omitempty"`
	// Comment is the GECOS field.
	Comment string `json:"gecos,omitempty"`
	// PrimaryGroup is the name of the primary group, which must exist when the user is created.
	PrimaryGroup string `json:"primaryGroup,omitempty"`
	// Groups are further groups, which must exist when the user is created.
	Groups []string `json:"groups,omitempty"`
	// Home is the home directory. Default: that of the system.
	Home string `json:"homeDir,omitempty"`
	// NoCreateHome does not create the home directory.
	NoCreateHome bool `json:"noCreateHome,omitempty"`
	// Shell is the login shell. Default: that of the system.
	Shell string `json:"shell,omitempty"`
	// System selects an ID below the range of ordinary users.
	System bool `json:"system,omitempty"`
	// PasswordHash is a crypt(3) hash such as $6$salt$hash. Without it, the password is locked unless Unlocked is set.
	PasswordHash secret.Value `json:"passwordHash,omitempty"`
	// Password is the password in clear text, for Windows, which accepts no hash. It excludes PasswordHash.
	Password secret.Value `json:"password,omitempty"`
	// Unlocked leaves the password unlocked. Default: locked, so that the user can log in with SSH keys only.
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

// Check returns error findings for fields that cannot be written to passwd, shadow, authorized_keys or sudoers, and
// warnings for lines of authorized_keys that contain no public key.
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
		return report.Report{report.Errorf(p, "passwordHash is set as well").To("remove one of them")}
	}
	return checkLine(p, string(u.Password.Reveal()))
}
