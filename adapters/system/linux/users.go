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
	"strings"

	"github.com/moby/sys/user"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// userParts returns the account, its keys and its sudoers file.
func (h *Host) userParts(u machine.User) []part {
	parts := []part{account{h, u}}
	if len(u.SSHAuthorizedKeys) > 0 {
		parts = append(parts, keys{h, u})
	}
	if u.Sudo != "" {
		parts = append(parts, sudoRule{h, file{h.tree, linuxcmd.SudoersFile(u)}})
	}
	return parts
}

// sudoRule is the sudoers file of a user.
type sudoRule struct {
	*Host
	file
}

// apply checks the rule with visudo(8) if it is installed, because sudo refuses all users if it cannot parse a file.
func (r sudoRule) apply(ctx context.Context, o journal.Original) error {
	if r.run.has("visudo") {
		content, _ := r.Content.Static()
		if err := r.file.tree.write(ctx, sudoersCheck, bytes.NewReader(content), r.Mode, 0, 0); err != nil {
			return err
		}
		_, err := r.run.program(ctx, nil, "visudo", "-cqf", sudoersCheck)
		if err := errors.Join(err, r.file.tree.unlink(sudoersCheck)); err != nil {
			return err
		}
	}
	return r.file.apply(ctx, o)
}

type account struct {
	*Host
	machine.User
}

// The keys of a user's original.
const (
	stateComment = "comment"
	stateHome    = "home"
	stateShell   = "shell"
	stateGroup   = "group"
	stateGroups  = "groups"
	stateShadow  = "shadow"
	stateExpiry  = "expiry"
	// stateKept is a home directory that existed before its user.
	stateKept = "kept"
)

func (a account) capture(ctx context.Context) (journal.Original, error) {
	o := journal.Original{Type: journal.ResourceUser, Name: a.Name}
	state, err := a.state(ctx)
	o.Exists, o.State = state != nil, state
	if home := a.homeDirectory(); !o.Exists && (a.NoCreateHome || a.tree.exists(home)) {
		o.State = map[string]string{stateKept: home}
	}
	return o, err
}

// homeDirectory returns the path of a new user's home directory.
func (a account) homeDirectory() string {
	if a.Home != "" {
		return a.Home
	}
	return path.Join("/home", a.Name)
}

// state returns the state of the account, or nil if it does not exist.
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

// shadowLine returns the password and expiry fields of shadow(5).
func (a account) shadowLine() (password, expiry string) {
	if own, err := a.tree.ownAccount(a.Name); err == nil && !own {
		// The account is not in /etc/shadow, so there is no password to lock.
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

// setsPassword reports whether to write the password field. Any form of a locked password is accepted as locked.
func (a account) setsPassword(is string) bool {
	want := linuxcmd.PasswordField(a.User)
	if want == linuxcmd.NoPassword {
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
	command := linuxcmd.Usermod(a.User)
	if is == nil {
		if err := a.safeHome(); err != nil {
			return err
		}
		command, err = a.creation(ctx)
		if err != nil {
			return err
		}
	}
	if command != nil {
		if _, err := a.run.command(ctx, nil, command); err != nil {
			return err
		}
	}
	password, _ := a.shadowLine()
	if !a.setsPassword(password) {
		return nil
	}
	return a.password(ctx, linuxcmd.PasswordField(a.User))
}

// safeHome refuses a new home directory that another user could exchange: useradd(8) opens it by its path.
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

// password sets the password field. Programs read it from standard input, because all users can read arguments.
func (a account) password(ctx context.Context, field string) error {
	_, err := a.run.command(ctx, strings.NewReader(a.Name+":"+field+"\n"), linuxcmd.Chpasswd())
	return err
}

// creation returns the command that creates the account. An existing group with the user's name becomes the primary
// group.
func (a account) creation(ctx context.Context) (linuxcmd.Command, error) {
	u := a.User
	if u.PrimaryGroup == "" {
		_, exists, err := a.tree.group(ctx, u.Name)
		if err != nil {
			return nil, err
		}
		if exists {
			u.PrimaryGroup = u.Name
		}
	}
	return linuxcmd.Useradd(u), nil
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
