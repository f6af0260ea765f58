//go:build linux

package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/moby/sys/user"

	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// The directories of the account files: those of the machine, and those of its image (nss-altfiles).
const (
	ownAccounts   = "/etc"
	imageAccounts = "/usr/lib"
)

// unknownKey is the exit code of getent(1) for a key that is not in the database.
const unknownKey = 2

// database is passwd or group. All accounts and groups of a machine are looked up here.
type database[T any] struct {
	// name is the name of the file and of the getent(1) database.
	name string
	// fields is the number of fields of a line.
	fields int
	parse  func(from io.Reader, picks func(T) bool) ([]T, error)
}

func users() database[user.User] {
	return database[user.User]{name: "passwd", fields: 7, parse: user.ParsePasswdFilter}
}

func groups() database[user.Group] {
	return database[user.Group]{name: "group", fields: 4, parse: user.ParseGroupFilter}
}

// in returns the entries of the file in the directory that match the filter. A missing file has no entries.
func (d database[T]) in(t *tree, dir string, picks func(T) bool) ([]T, error) {
	data, err := t.read(path.Join(dir, d.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return d.parse(bytes.NewReader(data), picks)
}

// find returns the entry that programs of the machine find, and whether it exists. The filter matches lines of a file,
// and getent gets the key.
func (d database[T]) find(ctx context.Context, t *tree, key string, picks func(T) bool) (T, bool, error) {
	found, err := d.in(t, ownAccounts, picks)
	if err == nil && len(found) == 0 {
		found, err = d.elsewhere(ctx, t, key, picks)
	}
	if err != nil || len(found) == 0 {
		var none T
		return none, false, err
	}
	return found[0], true, nil
}

// elsewhere returns entries that are not in the file of the machine. On the running system getent finds them: in a
// directory service, in systemd, in the image's files. In a tree that is not running only the image's files are read.
func (d database[T]) elsewhere(ctx context.Context, t *tree, key string, picks func(T) bool) ([]T, error) {
	if t.getent == nil {
		return d.in(t, imageAccounts, picks)
	}
	answer, err := t.getent(ctx, d.name, key)
	if err != nil {
		return nil, err
	}
	// A directory service may normalize the name, so the filter might not match.
	return d.parse(strings.NewReader(d.entry(answer)), nil)
}

// entry returns the line of the output that is an entry. The output may contain warnings, too.
func (d database[T]) entry(answer string) string {
	for line := range strings.Lines(answer) {
		fields := strings.Split(line, ":")
		if len(fields) != d.fields {
			continue
		}
		if _, ok := machine.Number(fields[2]); ok {
			return line
		}
	}
	return ""
}

// getent queries the machine's name services. An unknown key is not an error.
func (h *Host) getent(ctx context.Context, database, key string) (string, error) {
	out, err := h.run.query(ctx, "getent", database, key)
	var failed *ports.CommandError
	if errors.As(err, &failed) && failed.ExitCode == unknownKey {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look for %s in %s: %w", key, database, err)
	}
	return string(out), nil
}

// account returns the user with the name, and whether the user exists.
func (t *tree) account(ctx context.Context, name string) (user.User, bool, error) {
	return users().find(ctx, t, name, func(u user.User) bool { return u.Name == name })
}

// ownAccount reports whether the user is in /etc/passwd. useradd, usermod and chpasswd change no other users.
func (t *tree) ownAccount(name string) (bool, error) {
	found, err := users().in(t, ownAccounts, func(u user.User) bool { return u.Name == name })
	return len(found) > 0, err
}

// group returns the group with the name, and whether the group exists.
func (t *tree) group(ctx context.Context, name string) (user.Group, bool, error) {
	return groups().find(ctx, t, name, func(g user.Group) bool { return g.Name == name })
}

// groupName returns the name of the group, or its GID if the group has no name.
func (t *tree) groupName(ctx context.Context, gid int) (string, error) {
	key := strconv.Itoa(gid)
	g, exists, err := groups().find(ctx, t, key, func(g user.Group) bool { return g.Gid == gid })
	if err != nil || !exists {
		return key, err
	}
	return g.Name, nil
}

// ownGroups returns the groups in /etc/group that match the filter.
func (t *tree) ownGroups(picks func(user.Group) bool) ([]user.Group, error) {
	return groups().in(t, ownAccounts, picks)
}

// owner returns the UID and GID of an owner. A missing user or group is root; a user does not imply its primary group.
func (t *tree) owner(ctx context.Context, o machine.Owner) (uid, gid int, err error) {
	if r := o.Check("owner"); r.HasErrors() {
		// getent would truncate a number to 32 bits.
		return 0, 0, errors.New(r[0].Message)
	}
	uid, err = number("user", o.User, func() (int, bool, error) {
		u, exists, err := t.account(ctx, o.User)
		return u.Uid, exists, err
	})
	if err != nil {
		return 0, 0, err
	}
	gid, err = number("group", o.Group, func() (int, bool, error) {
		g, exists, err := t.group(ctx, o.Group)
		return g.Gid, exists, err
	})
	return uid, gid, err
}

// number returns a UID or GID as chown(1) resolves it: a name first, then digits as the number itself.
func number(what, name string, find func() (int, bool, error)) (int, error) {
	if name == "" || name == "root" {
		return 0, nil
	}
	id, exists, err := find()
	if err != nil || exists {
		return id, err
	}
	if id, ok := machine.Number(name); ok {
		return id, nil
	}
	return 0, fmt.Errorf("there is no %s %s", what, name)
}
