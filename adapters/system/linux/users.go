//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/moby/sys/user"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// userParts returns the account, its keys and its rule of sudo.
func (h *Host) userParts(u machine.User) []part {
	parts := []part{account{h, u}}
	if len(u.SSHAuthorizedKeys) > 0 {
		parts = append(parts, keys{h, u})
	}
	if u.Sudo != "" {
		rule := textFile(sudoersDir+"/machineadm-"+sudoersName(u.Name), sudoRule(u), 0o440)
		parts = append(parts, file{h.tree, rule})
	}
	return parts
}

// sudoersName returns a file name that no other user has: sudo skips files with a dot in their name or a tilde at its
// end (sudoers(5)).
func sudoersName(user string) string {
	return strings.NewReplacer("%", "%25", ".", "%2E", "~", "%7E").Replace(user)
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
	// stateKept names a home directory that stood there before its user.
	stateKept = "kept"
)

func (a account) capture(ctx context.Context) (journal.Original, error) {
	o := journal.Original{Thing: journal.ThingUser, Name: a.Name}
	state, err := a.state(ctx)
	o.Exists, o.State = state != nil, state
	if home := a.homeDirectory(); !o.Exists && (a.NoCreateHome || a.tree.exists(home)) {
		o.State = map[string]string{stateKept: home}
	}
	return o, err
}

// homeDirectory returns where a new user's home directory will stand.
func (a account) homeDirectory() string {
	if a.Home != "" {
		return a.Home
	}
	return path.Join("/home", a.Name)
}

// state returns the account as it is; nil if there is none.
func (a account) state(ctx context.Context) (map[string]string, error) {
	is, exists, err := a.tree.account(ctx, a.Name)
	if err != nil || !exists {
		return nil, err
	}
	primary, err := a.tree.groupName(ctx, is.Gid)
	if err != nil {
		return nil, err
	}
	member, err := a.tree.ownGroups(func(g user.Group) bool { return slices.Contains(g.List, a.Name) })
	var names []string
	for _, g := range member {
		names = append(names, g.Name)
	}
	password, expiry := a.shadowLine()
	return map[string]string{
		stateComment: is.Gecos, stateHome: is.Home, stateShell: is.Shell, stateGroup: primary,
		stateGroups: strings.Join(names, ","),
		stateShadow: password, stateExpiry: expiry,
	}, err
}

// shadowLine returns the password field and the day of expiry of shadow(5).
func (a account) shadowLine() (password, expiry string) {
	if own, err := a.tree.ownAccount(a.Name); err == nil && !own {
		// Another's account has no password here, so that there is none to lock.
		return "*", ""
	}
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

// shadow returns the password field. A hash whose password is not unlocked is kept behind an exclamation mark, as
// passwd -l does; without a hash no password matches.
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

func (a account) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	is, err := a.state(ctx)
	if err != nil {
		return nil, err
	}
	if is == nil {
		return []string{"+ user " + a.Name}, nil
	}
	if err := a.sameNumber(ctx); err != nil {
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

func (a account) sameNumber(ctx context.Context) error {
	is, _, err := a.tree.account(ctx, a.Name)
	if err != nil || a.UID == nil || is.Uid == *a.UID {
		return err
	}
	return fmt.Errorf("the user %s has the number %d and not %d; files belong to them by that number", a.Name,
		is.Uid, *a.UID)
}

func (a account) apply(ctx context.Context, _ journal.Original) error {
	is, err := a.state(ctx)
	if err != nil {
		return err
	}
	args, tool := a.common(), "usermod"
	if is == nil {
		if err := a.safeHome(); err != nil {
			return err
		}
		args, tool = append(args, a.creation(ctx)...), "useradd"
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

// safeHome refuses a home directory that useradd would make, by its name, where another user can exchange it.
func (a account) safeHome() error {
	if a.NoCreateHome {
		return nil
	}
	return a.tree.with(a.homeDirectory(), true, func(p *place) error {
		if _, err := p.status(); p.shared() && errors.Is(err, fs.ErrNotExist) {
			return p.refuse("make the home directory")
		}
		return nil
	})
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

func (a account) creation(ctx context.Context) []string {
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
	_, named, err := a.tree.group(ctx, a.Name)
	switch {
	case a.PrimaryGroup != "" || err != nil:
	case named:
		// The image has a group of the user's name already, which useradd would refuse.
		args = append(args, "--gid", a.Name)
	default:
		args = append(args, "--user-group")
	}
	return args
}

func (h *Host) revertUser(ctx context.Context, o journal.Original) error {
	if own, err := h.tree.ownAccount(o.Name); err != nil || !own {
		return err
	}
	if !o.Exists {
		args := []string{"--remove", "--", o.Name}
		if o.State[stateKept] != "" {
			args = args[1:]
		}
		_, err := h.run.program(ctx, nil, "userdel", args...)
		return err
	}
	args := []string{
		"--comment", o.State[stateComment], "--home", o.State[stateHome], "--shell", o.State[stateShell], "--gid",
		o.State[stateGroup],
		"--groups", o.State[stateGroups], "--expiredate", o.State[stateExpiry], "--", o.Name,
	}
	if _, err := h.run.program(ctx, nil, "usermod", args...); err != nil {
		return err
	}
	return account{h, machine.User{Name: o.Name}}.password(ctx, o.State[stateShadow])
}
