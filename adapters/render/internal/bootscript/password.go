package bootscript

import "github.com/machineadm/machineadm/domain/machine"

// SetPassword returns the command that sets the user's password hash. The hash reaches chpasswd by a pipe, since all
// users see arguments. A hash whose password is not unlocked gets an exclamation mark in front, as from passwd -l.
func SetPassword(u machine.User) string {
	hash := string(u.PasswordHash.Reveal())
	if !u.Unlocked && hash[0] != '!' && hash[0] != '*' {
		hash = "!" + hash
	}
	return "printf '%s\\n' " + Quote(u.Name+":"+hash) + "|chpasswd -e"
}
