package linuxcmd

import (
	"strconv"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
)

// ExpiredDate is the expiry date of an inactive account. It is the second day of the epoch, which is in the past in
// every time zone.
const ExpiredDate = "1970-01-02"

// NoPassword is a password field that matches no password. useradd(8) writes "!", which sshd(8) treats as a locked
// account, so keys would not work either.
const NoPassword = "*"

// Groupadd creates the group.
func Groupadd(g machine.Group) Command {
	c := Command{"groupadd"}
	if g.System {
		c = c.with("-r")
	}
	if g.GID != nil {
		c = c.with("-g", strconv.Itoa(*g.GID))
	}
	return c.with(g.Name)
}

// Useradd creates the account. It creates a group of the same name unless the user has a primary group. If that group
// exists, useradd(8) fails, so the caller must set it as the primary group.
func Useradd(u machine.User) Command {
	c := Command{"useradd", "-p", NoPassword}
	if u.System {
		c = c.with("-r")
	}
	if u.NoCreateHome {
		c = c.with("-M")
	} else {
		c = c.with("-m")
	}
	if u.UID != nil {
		c = c.with("-u", strconv.Itoa(*u.UID))
	}
	if u.PrimaryGroup == "" {
		c = c.with("-U")
	}
	// useradd(8) adds default groups on some systems.
	return accountOptions(c.with("-G", strings.Join(u.Groups, ",")), u).with(u.Name)
}

// Usermod returns the command that changes an existing account, or nil if there is nothing to change. It never changes
// the UID, because files belong to the UID.
func Usermod(u machine.User) Command {
	c := Command{"usermod"}
	if len(u.Groups) > 0 {
		c = c.with("-a", "-G", strings.Join(u.Groups, ","))
	}
	c = accountOptions(c, u)
	if len(c) == 1 {
		return nil
	}
	return c.with(u.Name)
}

func accountOptions(c Command, u machine.User) Command {
	c = c.option("-c", u.Comment).option("-d", u.Home).option("-g", u.PrimaryGroup).option("-s", u.Shell)
	if u.Inactive {
		c = c.with("-e", ExpiredDate)
	}
	return c
}

// PasswordField returns the password field of shadow(5). A hash is locked with an exclamation mark, as by passwd -l,
// unless the user is unlocked. It is empty for an unlocked user without a hash.
func PasswordField(u machine.User) string {
	hash := string(u.PasswordHash.Reveal())
	switch {
	case hash == "" && u.Unlocked:
		return ""
	case hash == "":
		return NoPassword
	case u.Unlocked || hash[0] == '!' || hash[0] == '*':
		return hash
	default:
		return "!" + hash
	}
}

// Chpasswd reads lines of user and password field from its input. Other users cannot read the input, but they can read
// arguments.
func Chpasswd() Command { return Command{"chpasswd", "-e"} }

// SudoersPrefix begins the path of every file that SudoersFile returns.
const SudoersPrefix = "/etc/sudoers.d/machineadm-"

// SudoersFile returns the file with the user's rule. Each user has a separate file. sudo skips files whose name
// contains a dot or ends in a tilde, and reads a name in capitals as an alias. Source: sudoers(5).
func SudoersFile(u machine.User) machine.File {
	name := u.Name
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		name = `"` + name + `"`
	}
	file := strings.NewReplacer("%", "%25", ".", "%2E", "~", "%7E").Replace(u.Name)
	return machine.File{
		Path: SudoersPrefix + file, Content: document.Text(name + " " + u.Sudo + "\n"), Mode: 0o440,
	}
}
