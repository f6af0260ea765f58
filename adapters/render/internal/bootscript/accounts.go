package bootscript

import (
	"strconv"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/machine"
)

// Group returns the script that creates the group. An existing group must have the GID of the document, because files
// belong to a GID.
func Group(g machine.Group) string {
	name, add := Quote(g.Name), linuxcmd.Groupadd(g).String()
	if g.GID == nil {
		return "{ getent group " + name + ">/dev/null||" + add + ";}"
	}
	return "if getent group " + name + ">/dev/null;then " +
		checkID("$(getent group "+name+"|cut -d: -f3)", *g.GID, "the group "+g.Name) + ";else " + add + ";fi"
}

// CheckUID returns the script that fails if the user's UID differs from the document.
func CheckUID(u machine.User) string {
	return checkID("$(id -u "+Quote(u.Name)+")", *u.UID, "the user "+u.Name)
}

func checkID(actual string, id int, what string) string {
	number := strconv.Itoa(id)
	return `{ [ "` + actual + `" = ` + number + " ]||{ echo " + Quote(what+" exists with another number than "+number) +
		">&2;false;};}"
}

// SetPassword returns the command that sets the user's password hash. chpasswd reads the hash from a pipe, because all
// users can read arguments.
func SetPassword(u machine.User) string {
	return "printf '%s\\n' " + Quote(u.Name+":"+linuxcmd.PasswordField(u)) + "|" + linuxcmd.Chpasswd().String()
}
