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

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// keys are the lines of a user's authorized_keys. The path is known only after the user exists.
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
	f := file{k.tree, textFile(path.Join(home, ".ssh/authorized_keys"), strings.Join(k.SSHAuthorizedKeys,
		"\n")+"\n", 0o600)}
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

// desired keeps the existing lines and adds those that are missing.
func (k keys) desired(ctx context.Context) (file, error) {
	f, err := k.file(ctx)
	if err != nil {
		return f, err
	}
	uid, _, err := k.tree.owner(ctx, f.Owner)
	if err != nil {
		return f, err
	}
	old, err := k.tree.readFor(f.Path, uid)
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

// readFor returns a file that the user can read without root: a file of the user, or a world-readable file of root. It
// does not follow a link in the last path element.
func (t *tree) readFor(at string, uid int) ([]byte, error) {
	var data []byte
	err := t.with(at, false, func(p *place) error {
		content, s, err := p.read()
		if err == nil && int(s.Uid) != uid && (s.Uid != 0 || machine.Mode(s.Mode)&othersRead == 0) {
			return fmt.Errorf("%s belongs to the user %d and not to the user %d; remove it, or change its owner", at, s.Uid, uid)
		}
		data = content
		return err
	})
	return data, err
}

func (k keys) diff(ctx context.Context, o journal.Original) ([]string, error) {
	f, err := k.file(ctx)
	if err != nil {
		return nil, err
	}
	if _, exists, err := k.tree.account(ctx, k.Name); err != nil || !exists {
		return []string{"+ " + f.Path}, err
	}
	if f, err = k.desired(ctx); err != nil {
		return nil, err
	}
	return f.diff(ctx, o)
}

func (k keys) apply(ctx context.Context, _ journal.Original) error {
	f, err := k.desired(ctx)
	if err != nil {
		return err
	}
	uid, gid, err := k.tree.owner(ctx, f.Owner)
	if err != nil {
		return err
	}
	content, _ := f.Content.Static()
	return k.tree.with(path.Dir(f.Path), false, func(dir *place) error {
		// sshd refuses keys in a directory that other users own or can write.
		return dir.inside(ctx, 0o700, uid, gid, func(p *place) error {
			p.base, p.at = path.Base(f.Path), f.Path
			return p.write(ctx, bytes.NewReader(content), f.Mode, uid, gid)
		})
	})
}
