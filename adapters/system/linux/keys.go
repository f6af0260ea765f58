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

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// keys are the lines of a user's authorized_keys. Where the file stands is known once the user is there.
type keys struct {
	*Host
	machine.User
}

func (k keys) file(ctx context.Context) (file, error) {
	is, exists, err := k.tree.account(ctx, k.Name)
	home := account(k).homeDirectory()
	if exists {
		home = is.Home
	}
	f := file{k.tree, textFile(path.Join(home, ".ssh/authorized_keys"), strings.Join(k.SSHAuthorizedKeys, "\n")+"\n", 0o600)}
	f.Owner = machine.Owner{User: k.Name, Group: strconv.Itoa(is.Gid)}
	return f, err
}

func (k keys) capture(ctx context.Context) (journal.Original, error) {
	f, err := k.file(ctx)
	if err != nil {
		return journal.Original{}, err
	}
	return f.capture(ctx)
}

// wish keeps the lines that are there and adds those that are missing.
func (k keys) wish(ctx context.Context) (file, error) {
	f, err := k.file(ctx)
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
	f, err := k.wish(ctx)
	if err != nil {
		return nil, err
	}
	if _, exists, err := k.tree.account(ctx, k.Name); err != nil || !exists {
		return []string{"+ " + f.Path}, err
	}
	return f.diff(ctx, o)
}

func (k keys) apply(ctx context.Context, o journal.Original) error {
	f, err := k.wish(ctx)
	if err != nil {
		return err
	}
	uid, gid, err := k.tree.owner(ctx, f.Owner)
	if err != nil {
		return err
	}
	dir := path.Dir(f.Path)
	if is, err := k.tree.capture(dir); err != nil || is.Exists && !is.Directory {
		// The user may have made it, and a link could lead root anywhere.
		return errors.Join(err, fmt.Errorf("%s is no directory", dir))
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
