package ignmodel

import (
	"slices"
	"strings"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
)

// group adds the group. If the image has it, the program checks it: Ignition before 2.25 fails if a group exists, and
// later versions fail if it is not in /etc/group, as on Flatcar. The machine would not start then.
func (b *builder) group(i int, g machine.Group) {
	if b.plan.Target.Profile.HasGroup(g.Name) {
		b.leave(i, action.RunCommand{
			Name: "check the group " + g.Name, When: b.plan.Steps[i].Phase, Script: bootscript.Group(g),
		})
		return
	}
	for k, known := range b.model.Groups {
		if known.Name != g.Name {
			continue
		}
		b.model.Places[i] = indexed("passwd.groups", k)
		if known.System != g.System || !sameID(known.GID, g.GID) {
			b.refuse(report.Errorf(b.at(i, machine.KindGroup, "name"), "a second group %s, unlike the first", g.Name).
				To("remove one of them"))
		}
		return
	}
	b.model.Places[i] = indexed("passwd.groups", len(b.model.Groups))
	b.model.Groups = append(b.model.Groups, g)
}

func sameID(a, b *int) bool { return a == b || (a != nil && b != nil && *a == *b) }

func (b *builder) user(i int, u machine.User) {
	for _, known := range b.model.Users {
		if known.Name == u.Name {
			b.refuse(report.Errorf(b.at(i, machine.KindUser, "name"), "a second user %s", u.Name).To("keep one of them"))
			return
		}
	}
	b.home(i, u)
	b.sudoRule(i, u)
	if u.Inactive {
		b.leave(i, action.RunCommand{
			Name: "disable " + u.Name, When: b.plan.Steps[i].Phase,
			Script: linuxcmd.Usermod(machine.User{Name: u.Name, Inactive: true}).String(),
		})
	}
	u.PasswordHash = b.password(i, u)
	u.SSHAuthorizedKeys = distinct(u.SSHAuthorizedKeys)
	u.Groups = distinct(u.Groups)
	b.model.Places[i] = indexed("passwd.users", len(b.model.Users))
	b.model.Users = append(b.model.Users, u)
}

// home refuses a home that the engine would make beneath a mount point instead of on what is mounted there. For a mount
// of the system this is a warning, because a snippet can mount it earlier.
func (b *builder) home(i int, u machine.User) {
	home := u.Home
	switch {
	case home == "" && u.Name == "root":
		home = "/root"
	case home == "":
		home = "/home/" + u.Name
	}
	if below(home, b.late) && !u.NoCreateHome {
		b.refuse(report.Warningf(b.at(i, machine.KindUser, "homeDir"),
			"the file system of %s is mounted after Ignition, and hides the home directory and its SSH keys", home).
			To("use a directory below /var, or add a snippet that mounts the subvolume in storage.filesystems"))
	}
	covered := below(home, b.unmounted)
	for _, fs := range b.model.Filesystems {
		covered = covered || (!b.abilities.UsersOnMounts && fs.Path != "" && strings.HasPrefix(home+"/", fs.Path+"/"))
	}
	if covered && !u.NoCreateHome {
		b.refuse(report.Errorf(b.at(i, machine.KindUser, "homeDir"),
			"%s is on a mount that does not exist yet when users are created", home).
			To("choose another home, or give noCreateHome"))
	}
}

// password returns the password field that the engine sets. No password matches it if there is a hash: the program sets
// the hash, since the engine passes the field to useradd as an argument and logs the arguments to the journal.
func (b *builder) password(i int, u machine.User) secret.Value {
	if u.PasswordHash.IsZero() && u.Unlocked {
		return secret.Value{}
	}
	if !u.PasswordHash.IsZero() {
		b.leave(i, action.RunCommand{
			Name: "set the password of " + u.Name, When: b.plan.Steps[i].Phase,
			Script: bootscript.SetPassword(u),
		})
	}
	return secret.FromString(linuxcmd.NoPassword)
}

// sudoRule adds the file of the user's rule.
func (b *builder) sudoRule(i int, u machine.User) {
	if u.Sudo == "" {
		return
	}
	if strings.HasSuffix(u.Sudo, `\`) {
		b.refuse(report.Errorf(b.at(i, machine.KindUser, "sudo"), "a backslash at the end joins the next rule").
			To("remove it"))
		return
	}
	rule := linuxcmd.SudoersFile(u)
	b.nodes[rule.Path] = node{kind: nodeFile, step: -1}
	b.imply(rule.Path, -1)
	b.sudoers = append(b.sudoers, sudoers{step: i, file: rule})
}

// addSudoers adds the files of the rules of sudo, which are among the places of their users.
func (b *builder) addSudoers() {
	for _, s := range b.sudoers {
		b.model.Places[s.step] += ", " + indexed("storage.files", len(b.model.Files))
		content, _ := s.file.Content.Static()
		b.addFile(s.file.Path, content, s.file.Mode)
	}
}

// addProgramPlaces adds the program to the places of a user whose password it sets or whose account it disables.
func (b *builder) addProgramPlaces(program string) {
	for i, s := range b.plan.Steps {
		if u, ok := s.Do.(action.EnsureUser); ok && (u.Inactive || !u.PasswordHash.IsZero()) {
			b.model.Places[i] += ", " + program
		}
	}
}

// distinct returns the list without repetitions, which the engine refuses.
func distinct(list []string) []string {
	for i, s := range list {
		if slices.Contains(list[:i], s) {
			return compact(list)
		}
	}
	return list
}

func compact(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// primaryGroups makes a group of the plan the primary one of the user of the same name: useradd refuses to make the
// group of a user when it is already there.
func (b *builder) primaryGroups() {
	for i := range b.model.Users {
		u := &b.model.Users[i]
		if u.PrimaryGroup == "" && plan.EnsuresGroup(b.plan.Steps, u.Name) {
			u.PrimaryGroup = u.Name
		}
	}
}
