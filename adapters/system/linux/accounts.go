//go:build linux

package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/moby/sys/user"

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
