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

// Where the files of accounts are: what the machine itself keeps, and what an image brings of them (nss-altfiles).
const (
	ownAccounts   = "/etc"
	imageAccounts = "/usr/lib"
)

// unknownKey is the exit code by which getent(1) says that nobody has the name.
const unknownKey = 2

// database is one of the two of accounts. Every account and every group of a machine is looked up here.
type database[T any] struct {
	// name is the file's, and getent's for it.
	name string
	// fields is how many a line has.
	fields int
	parse  func(from io.Reader, picks func(T) bool) ([]T, error)
}

func users() database[user.User] {
	return database[user.User]{name: "passwd", fields: 7, parse: user.ParsePasswdFilter}
}

func groups() database[user.Group] {
	return database[user.Group]{name: "group", fields: 4, parse: user.ParseGroupFilter}
}

// in returns the entries that the filter picks from the file in the directory. A file that is not there has none.
func (d database[T]) in(t *tree, dir string, picks func(T) bool) ([]T, error) {
	data, err := t.read(path.Join(dir, d.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return d.parse(bytes.NewReader(data), picks)
}

// find returns the entry that the machine's programs find, and whether there is one. The filter picks it from a file,
// and the key is what getent is asked for.
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

// elsewhere returns what the machine's own file has not. The running system knows whom it asks: a directory service,
// systemd, the image's files. A tree that does not run can only be read.
func (d database[T]) elsewhere(ctx context.Context, t *tree, key string, picks func(T) bool) ([]T, error) {
	if t.getent == nil {
		return d.in(t, imageAccounts, picks)
	}
	answer, err := t.getent(ctx, d.name, key)
	if err != nil {
		return nil, err
	}
	// A directory service may spell the name in another way, so the filter would miss it.
	return d.parse(strings.NewReader(d.entry(answer)), nil)
}

// entry returns the answer's line that is an entry: a program may warn beside it.
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

// getent asks the machine's name services. That nobody has the name is no failure.
func (h *Host) getent(ctx context.Context, database, key string) (string, error) {
	out, err := h.run.ask(ctx, "getent", database, key)
	var failed *ports.CommandError
	if errors.As(err, &failed) && failed.ExitCode == unknownKey {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look for %s in %s: %w", key, database, err)
	}
	return string(out), nil
}

// account returns the user of the name, and whether there is one.
func (t *tree) account(ctx context.Context, name string) (user.User, bool, error) {
	return users().find(ctx, t, name, func(u user.User) bool { return u.Name == name })
}

// ownAccount reports whether the machine itself keeps the user of the name; no program changes others.
func (t *tree) ownAccount(name string) (bool, error) {
	found, err := users().in(t, ownAccounts, func(u user.User) bool { return u.Name == name })
	return len(found) > 0, err
}

// group returns the group of the name, and whether there is one.
func (t *tree) group(ctx context.Context, name string) (user.Group, bool, error) {
	return groups().find(ctx, t, name, func(g user.Group) bool { return g.Name == name })
}

// groupName returns the name of the group with the number, or the number itself if it has none.
func (t *tree) groupName(ctx context.Context, gid int) (string, error) {
	key := strconv.Itoa(gid)
	g, exists, err := groups().find(ctx, t, key, func(g user.Group) bool { return g.Gid == gid })
	if err != nil || !exists {
		return key, err
	}
	return g.Name, nil
}

// ownGroups returns the groups that the machine itself keeps and the filter picks.
func (t *tree) ownGroups(picks func(user.Group) bool) ([]user.Group, error) {
	return groups().in(t, ownAccounts, picks)
}

// owner returns the numbers of an owner. Who is not given is root: a user does not bring their group.
func (t *tree) owner(ctx context.Context, o machine.Owner) (uid, gid int, err error) {
	if r := o.Check("owner"); r.HasErrors() {
		// getent would take the lowest 32 bits of a number.
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

// number returns the number of a user or group as chown(1) does: digits that are nobody's name are the number itself.
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
