//go:build linux

package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/moby/sys/user"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// The files of the accounts.
const (
	passwdFile = "/etc/passwd"
	groupFile  = "/etc/group"
	shadowFile = "/etc/shadow"
	sudoersDir = "/etc/sudoers.d"
	// expired is a day in the past in every time zone.
	expired = "1970-01-02"
)

// account returns the user of the name, and whether there is one.
func (t *tree) account(name string) (user.User, bool, error) {
	data, err := t.read(passwdFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return user.User{}, false, err
	}
	found, err := user.ParsePasswdFilter(bytes.NewReader(data), func(u user.User) bool { return u.Name == name })
	if err != nil || len(found) == 0 {
		return user.User{}, false, err
	}
	return found[0], true, nil
}

// groupsOf returns the groups that the filter picks.
func (t *tree) groupsOf(filter func(user.Group) bool) ([]user.Group, error) {
	data, err := t.read(groupFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return user.ParseGroupFilter(bytes.NewReader(data), filter)
}

// owner returns the numbers of an owner. A user without a group brings their own.
func (t *tree) owner(o machine.Owner) (uid, gid int, err error) {
	if o.User != "" && o.User != "root" {
		u, exists, err := t.account(o.User)
		if err != nil {
			return 0, 0, err
		}
		if !exists {
			return 0, 0, fmt.Errorf("there is no user %s", o.User)
		}
		uid, gid = u.Uid, u.Gid
	}
	if o.Group == "" || o.Group == "root" {
		if o.Group == "root" {
			gid = 0
		}
		return uid, gid, nil
	}
	found, err := t.groupsOf(func(g user.Group) bool { return g.Name == o.Group })
	if err != nil {
		return 0, 0, err
	}
	if len(found) == 0 {
		return 0, 0, fmt.Errorf("there is no group %s", o.Group)
	}
	return uid, found[0].Gid, nil
}

// group is a group of users.
type group struct {
	*Host
	machine.Group
}

func (g group) find() (user.Group, bool, error) {
	found, err := g.tree.groupsOf(func(other user.Group) bool { return other.Name == g.Name })
	if err != nil || len(found) == 0 {
		return user.Group{}, false, err
	}
	return found[0], true, nil
}

func (g group) capture(context.Context) (journal.Original, error) {
	_, exists, err := g.find()
	return journal.Original{Thing: journal.ThingGroup, Name: g.Name, Exists: exists}, err
}

func (g group) diff(context.Context, journal.Original) ([]string, error) {
	is, exists, err := g.find()
	switch {
	case err != nil:
		return nil, err
	case !exists:
		return []string{"+ group " + g.Name}, nil
	case g.GID != nil && is.Gid != *g.GID:
		return nil, fmt.Errorf("the group %s has the number %d and not %d; files belong to it by that number", g.Name, is.Gid, *g.GID)
	default:
		return nil, nil
	}
}

func (g group) apply(ctx context.Context, _ journal.Original) error {
	var args []string
	if g.System {
		args = append(args, "--system")
	}
	if g.GID != nil {
		args = append(args, "--gid", strconv.Itoa(*g.GID))
	}
	_, err := g.run.program(ctx, nil, "groupadd", append(args, "--", g.Name)...)
	return err
}

func (h *Host) revertGroup(ctx context.Context, o journal.Original) error {
	if o.Exists || !h.run.has("groupdel") {
		return nil
	}
	found, err := h.tree.groupsOf(func(g user.Group) bool { return g.Name == o.Name })
	if err != nil || len(found) == 0 {
		return err
	}
	_, err = h.run.program(ctx, nil, "groupdel", "--", o.Name)
	return err
}

// userParts returns the account, its keys and its rule of sudo.
func (h *Host) userParts(u machine.User) []part {
	parts := []part{account{h, u}}
	if len(u.SSHAuthorizedKeys) > 0 {
		parts = append(parts, keys{h, u})
	}
	if u.Sudo != "" {
		rule := textFile(sudoersDir+"/machineadm-"+strings.ReplaceAll(u.Name, ".", "_"), sudoRule(u), 0o440)
		parts = append(parts, file{h.tree, rule})
	}
	return parts
}

// sudoRule returns the user's line. A name in capitals would be an alias, so it is quoted.
func sudoRule(u machine.User) string {
	name := u.Name
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" {
		name = `"` + name + `"`
	}
	return name + " " + u.Sudo + "\n"
}

// account is a user.
type account struct {
	*Host
	machine.User
}

// The words of a user's original.
const (
	stateComment = "comment"
	stateHome    = "home"
	stateShell   = "shell"
	stateGroup   = "group"
	stateGroups  = "groups"
	stateShadow  = "shadow"
	stateExpiry  = "expiry"
)

func (a account) capture(context.Context) (journal.Original, error) {
	o := journal.Original{Thing: journal.ThingUser, Name: a.Name}
	state, err := a.state()
	o.Exists, o.State = state != nil, state
	return o, err
}

// state returns the account as it is; nil if there is none.
func (a account) state() (map[string]string, error) {
	is, exists, err := a.tree.account(a.Name)
	if err != nil || !exists {
		return nil, err
	}
	var names []string
	all, err := a.tree.groupsOf(func(g user.Group) bool { return g.Gid == is.Gid || slices.Contains(g.List, a.Name) })
	primary := strconv.Itoa(is.Gid)
	for _, g := range all {
		if g.Gid == is.Gid {
			primary = g.Name
		}
		if slices.Contains(g.List, a.Name) {
			names = append(names, g.Name)
		}
	}
	password, expiry := a.shadowLine()
	return map[string]string{
		stateComment: is.Gecos, stateHome: is.Home, stateShell: is.Shell, stateGroup: primary, stateGroups: strings.Join(names, ","),
		stateShadow: password, stateExpiry: expiry,
	}, err
}

// shadowLine returns the password field and the day of expiry of shadow(5).
func (a account) shadowLine() (password, expiry string) {
	data, err := a.tree.read(shadowFile)
	if err != nil {
		return "", ""
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		fields := strings.Split(line, ":")
		if fields[0] == a.Name && len(fields) >= 8 {
			return fields[1], fields[7]
		}
	}
	return "", ""
}

// shadow returns the password field. A hash whose password is not unlocked is kept behind an exclamation mark, as passwd -l
// does; without a hash no password matches.
func (a account) shadow() string {
	hash := string(a.PasswordHash.Reveal())
	switch {
	case hash == "" && a.Unlocked:
		return ""
	case hash == "":
		return "*"
	case a.Unlocked || hash[0] == '!' || hash[0] == '*':
		return hash
	default:
		return "!" + hash
	}
}

func (a account) diff(context.Context, journal.Original) ([]string, error) {
	is, err := a.state()
	if err != nil {
		return nil, err
	}
	if is == nil {
		return []string{"+ user " + a.Name}, nil
	}
	if err := a.sameNumber(); err != nil {
		return nil, err
	}
	var lines []string
	differs := func(what, was, want string) {
		if want != "" && was != want {
			lines = append(lines, fmt.Sprintf("~ user %s: %s %s in place of %s", a.Name, what, want, was))
		}
	}
	differs("comment", is[stateComment], a.Comment)
	differs("home directory", is[stateHome], a.Home)
	differs("shell", is[stateShell], a.Shell)
	differs("primary group", is[stateGroup], a.PrimaryGroup)
	for _, g := range a.Groups {
		if !slices.Contains(strings.Split(is[stateGroups], ","), g) && g != is[stateGroup] {
			lines = append(lines, fmt.Sprintf("~ user %s: member of %s", a.Name, g))
		}
	}
	if a.setsPassword(is[stateShadow]) {
		lines = append(lines, fmt.Sprintf("~ user %s: another password", a.Name))
	}
	if a.Inactive && is[stateExpiry] != "1" {
		lines = append(lines, fmt.Sprintf("~ user %s: inactive", a.Name))
	}
	return lines, nil
}

// setsPassword reports whether the password field has to be written. A lock of another spelling is a lock, too.
func (a account) setsPassword(is string) bool {
	want := a.shadow()
	if want == "*" {
		return !strings.HasPrefix(is, "!") && !strings.HasPrefix(is, "*")
	}
	return is != want
}

func (a account) sameNumber() error {
	is, _, err := a.tree.account(a.Name)
	if err != nil || a.UID == nil || is.Uid == *a.UID {
		return err
	}
	return fmt.Errorf("the user %s has the number %d and not %d; files belong to them by that number", a.Name, is.Uid, *a.UID)
}

func (a account) apply(ctx context.Context, _ journal.Original) error {
	is, err := a.state()
	if err != nil {
		return err
	}
	args, tool := a.common(), "usermod"
	if is == nil {
		args, tool = append(args, a.creation()...), "useradd"
		args = append(args, "--groups", strings.Join(a.Groups, ","))
	} else if len(a.Groups) > 0 {
		args = append(args, "--append", "--groups", strings.Join(a.Groups, ","))
	}
	if len(args) > 0 || is == nil {
		if _, err := a.run.program(ctx, nil, tool, append(args, "--", a.Name)...); err != nil {
			return err
		}
	}
	password, _ := a.shadowLine()
	if !a.setsPassword(password) {
		return nil
	}
	return a.password(ctx, a.shadow())
}

// password sets the password field. It goes by standard input, since every user sees arguments.
func (a account) password(ctx context.Context, field string) error {
	_, err := a.run.program(ctx, strings.NewReader(a.Name+":"+field+"\n"), "chpasswd", "--encrypted")
	return err
}

// common returns the arguments that useradd and usermod share.
func (a account) common() []string {
	var args []string
	add := func(flag, value string) {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	add("--comment", a.Comment)
	add("--home", a.Home)
	add("--gid", a.PrimaryGroup)
	add("--shell", a.Shell)
	if a.Inactive {
		add("--expiredate", expired)
	}
	return args
}

func (a account) creation() []string {
	args := []string{"--create-home"}
	if a.NoCreateHome {
		args = []string{"--no-create-home"}
	}
	if a.System {
		args = append(args, "--system")
	}
	if a.UID != nil {
		args = append(args, "--uid", strconv.Itoa(*a.UID))
	}
	found, err := a.tree.groupsOf(func(g user.Group) bool { return g.Name == a.Name })
	switch {
	case a.PrimaryGroup != "" || err != nil:
	case len(found) > 0:
		// The image has a group of the user's name already, which useradd would refuse.
		args = append(args, "--gid", a.Name)
	default:
		args = append(args, "--user-group")
	}
	return args
}

func (h *Host) revertUser(ctx context.Context, o journal.Original) error {
	a := account{h, machine.User{Name: o.Name}}
	is, err := a.state()
	if err != nil || is == nil {
		return err
	}
	if !o.Exists {
		_, err := h.run.program(ctx, nil, "userdel", "--remove", "--force", "--", o.Name)
		return err
	}
	args := []string{
		"--comment", o.State[stateComment], "--home", o.State[stateHome], "--shell", o.State[stateShell], "--gid", o.State[stateGroup],
		"--groups", o.State[stateGroups], "--expiredate", o.State[stateExpiry], "--", o.Name,
	}
	if _, err := h.run.program(ctx, nil, "usermod", args...); err != nil {
		return err
	}
	return a.password(ctx, o.State[stateShadow])
}

// keys are the lines of a user's authorized_keys. Where the file stands is known once the user is there.
type keys struct {
	*Host
	machine.User
}

func (k keys) file() (file, error) {
	is, exists, err := k.tree.account(k.Name)
	home := k.Home
	if exists {
		home = is.Home
	}
	if home == "" {
		home = path.Join("/home", k.Name)
	}
	f := file{k.tree, textFile(path.Join(home, ".ssh/authorized_keys"), strings.Join(k.SSHAuthorizedKeys, "\n")+"\n", 0o600)}
	f.Owner = machine.Owner{User: k.Name}
	return f, err
}

func (k keys) capture(ctx context.Context) (journal.Original, error) {
	f, err := k.file()
	if err != nil {
		return journal.Original{}, err
	}
	return f.capture(ctx)
}

// wish keeps the lines that are there and adds those that are missing.
func (k keys) wish() (file, error) {
	f, err := k.file()
	if err != nil {
		return f, err
	}
	old, err := k.tree.read(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	lines := strings.FieldsFunc(string(old), func(r rune) bool { return r == '\n' })
	for _, line := range k.SSHAuthorizedKeys {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	f.Content = document.Text(strings.Join(lines, "\n") + "\n")
	return f, nil
}

func (k keys) diff(ctx context.Context, o journal.Original) ([]string, error) {
	f, err := k.wish()
	if err != nil {
		return nil, err
	}
	if _, exists, err := k.tree.account(k.Name); err != nil || !exists {
		return []string{"+ " + f.Path}, err
	}
	return f.diff(ctx, o)
}

func (k keys) apply(ctx context.Context, o journal.Original) error {
	f, err := k.wish()
	if err != nil {
		return err
	}
	uid, gid, err := k.tree.owner(f.Owner)
	if err != nil {
		return err
	}
	name, err := k.tree.parents(f.Path)
	if err != nil {
		return err
	}
	// sshd refuses keys in a directory that others own or write.
	if err := k.tree.adjust(path.Dir(name), 0o700, uid, gid); err != nil {
		return err
	}
	return f.apply(ctx, o)
}
