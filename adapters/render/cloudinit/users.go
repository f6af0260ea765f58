package cloudinit

import (
	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/adapters/render/internal/bootscript"
	"github.com/machineadm/machineadm/adapters/render/internal/yamlenc"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
)

// group adds the group to groups. That key does not support GIDs, so bootcmd creates groups that have one.
func (c *config) group(i int, s plan.SourcedStep, g machine.Group) {
	if !c.encodable(s, g.Name) {
		return
	}
	name := bootscript.Quote(g.Name)
	if g.GID == nil && !g.System {
		c.stepPlaces[i] = entry("groups", len(c.groups))
		c.groups = append(c.groups, g.Name)
		c.guards = append(c.guards, guard(document.PhaseUser, s.Source, "getent group "+name+">&2"))
		return
	}
	c.stepPlaces[i] = c.addEarly(s, bootscript.Group(g))
}

// user adds the user to users. The program then checks that the user exists, and updates a user that the image already
// contained. A new user gets the group of the plan with the same name as its primary group.
func (c *config) user(i int, s plan.SourcedStep, u machine.User) {
	if !c.encodable(s, u.Name, u.Comment, u.PrimaryGroup, u.Home, u.Shell, u.Sudo, string(u.PasswordHash.Reveal())) ||
		!c.encodable(s, u.Groups...) || !c.encodable(s, u.SSHAuthorizedKeys...) {
		return
	}
	if u.Name == "default" {
		c.findings = append(c.findings, report.Errorf(s.Source.Path,
			"cloud-init reserves the name default for the image's own user").
			To("choose another name, or write the name of the image's own user"))
		return
	}
	if u.System && !u.NoCreateHome {
		c.findings = append(c.findings, report.Infof(s.Source.Path, "cloud-init creates no home directory for a system user"))
	}
	c.stepPlaces[i] = entry("users", len(c.users))
	c.guards = append(c.guards, guard(document.PhaseUser, s.Source, userGuard(u)))
	if u.PrimaryGroup == "" && plan.EnsuresGroup(c.plan.Steps, u.Name) {
		u.PrimaryGroup = u.Name
	}
	c.users = append(c.users, u)
	c.size += 256 + len(u.SSHAuthorizedKeys)*128
}

// userGuard fails if the user is missing, and sets the attributes that cloud-init does not change for existing users.
func userGuard(u machine.User) string {
	exists, change := "id "+bootscript.Quote(u.Name), linuxcmd.Usermod(u)
	if u.UID != nil {
		exists = bootscript.CheckUID(u)
	}
	switch {
	case change == nil:
		return exists
	case u.UID == nil:
		return change.String()
	default:
		return exists + "&&" + change.String()
	}
}

func (c *config) encodeGroups(w *yamlenc.Writer, s snippet) {
	if len(c.groups)+len(s.lists["groups"]) == 0 {
		return
	}
	w.List("groups")
	for _, g := range c.groups {
		w.String(g)
	}
	w.RawItems(s.lists["groups"])
}

// encodeUsers writes only the users of the plan and the snippet. The default user of the image is created only if there
// are none.
func (c *config) encodeUsers(w *yamlenc.Writer, s snippet) {
	if len(c.users)+len(s.lists["users"]) == 0 {
		return
	}
	w.List("users")
	for _, u := range c.users {
		encodeUser(w, u)
	}
	w.RawItems(s.lists["users"])
}

func encodeUser(w *yamlenc.Writer, u machine.User) {
	w.Item()
	for _, f := range [...]struct{ key, value string }{
		{"name", u.Name},
		{"gecos", u.Comment},
		{"primary_group", u.PrimaryGroup},
		{"homedir", u.Home},
		{"shell", u.Shell},
		{"sudo", u.Sudo},
		{"hashed_passwd", string(u.PasswordHash.Reveal())},
	} {
		if f.value != "" {
			w.Field(f.key, f.value)
		}
	}
	if u.UID != nil {
		w.Int("uid", *u.UID)
	}
	if len(u.Groups) > 0 {
		w.FieldStrings("groups", u.Groups)
	}
	for _, f := range [...]struct {
		key string
		set bool
	}{{"no_create_home", u.NoCreateHome}, {"system", u.System}} {
		if f.set {
			w.Bool(f.key, true)
		}
	}
	if u.Unlocked {
		w.Bool("lock_passwd", false)
	}
	if u.Inactive {
		w.Field("expiredate", linuxcmd.ExpiredDate)
	}
	if len(u.SSHAuthorizedKeys) > 0 {
		w.FieldStrings("ssh_authorized_keys", u.SSHAuthorizedKeys)
	}
}
