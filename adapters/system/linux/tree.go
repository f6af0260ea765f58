//go:build linux

package linux

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/ports"
)

// tree is the machine's file tree below a directory.
type tree struct {
	dir  string
	root *os.Root
	// base is the open directory.
	base *os.File
	// self is the UID of the agent.
	self int64
	// making serializes mkdir, which uses the same temporary name for all callers.
	making *sync.Mutex
	// label returns the SELinux label of a path in the policy, or an empty string. It is nil if SELinux is disabled.
	label func(ctx context.Context, path string) (string, error)
	// getent returns the entry of a key in an account database of the name services, or an empty string. It is nil in a
	// tree that is not running.
	getent func(ctx context.Context, database, key string) (string, error)
	// originals stores copies of replaced files.
	originals ports.Originals
}

func openTree(dir string, originals ports.Originals) (*tree, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, err
	}
	base, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &tree{
		dir: absolute, root: root, base: base, self: int64(os.Geteuid()), making: &sync.Mutex{}, originals: originals,
	}, nil
}

func (t *tree) close() error { return errors.Join(t.base.Close(), t.root.Close()) }

// with calls do with the place of a path.
func (t *tree) with(at string, follow bool, do func(*place) error) error {
	p, err := t.find(at, follow)
	if err != nil {
		return err
	}
	defer func() { p.close() }()
	return do(p)
}

// follow resolves all links of the path, including the last element.
func (t *tree) follow(at string) (string, error) {
	var name string
	err := t.with(at, true, func(p *place) error { name = p.path(); return nil })
	return name, err
}

// status returns the status of the path, following links.
func (t *tree) status(at string) (unix.Stat_t, error) {
	var s unix.Stat_t
	err := t.with(at, true, func(p *place) (err error) { s, err = p.status(); return err })
	return s, err
}

// exists reports whether the path exists. A dangling link does not exist.
func (t *tree) exists(at string) bool {
	_, err := t.status(at)
	return err == nil
}

// room returns the status of the file system that contains the path.
func (t *tree) room(at string) (unix.Statfs_t, error) {
	var s unix.Statfs_t
	err := t.with(at, true, func(p *place) error {
		if _, err := p.status(); err != nil {
			return err
		}
		fd, err := unix.Openat(p.fd, p.base, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		return errors.Join(unix.Fstatfs(fd, &s), unix.Close(fd))
	})
	return s, err
}

// read returns the content of a regular file, following links.
func (t *tree) read(at string) ([]byte, error) {
	var data []byte
	err := t.with(at, true, func(p *place) (err error) { data, _, err = p.read(); return err })
	return data, err
}

func (t *tree) open(at string, follow bool) (io.ReadCloser, error) {
	var f *os.File
	err := t.with(at, follow, func(p *place) (err error) { f, _, err = p.open(); return err })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// digest returns the digest of a regular file in hexadecimal.
func (t *tree) digest(at string, h hash.Hash) (string, error) {
	f, err := t.open(at, false)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// state returns the state of the path without its content, and the missing directories above it.
func (t *tree) state(at string) (journal.Original, error) {
	o := journal.Original{Type: journal.ResourcePath, Name: at}
	err := t.with(at, false, func(p *place) (err error) { o, err = p.state(o); return err })
	return o, err
}

// write replaces a file atomically. After it returns, the file survives a power cut.
func (t *tree) write(ctx context.Context, at string, content io.Reader, mode machine.Mode, uid, gid int) error {
	return t.with(at, false, func(p *place) error { return p.write(ctx, content, mode, uid, gid) })
}

// labelAttribute is the extended attribute with the SELinux label.
const labelAttribute = "security.selinux"

// labelOf returns the label of the path in the policy, if any.
func (t *tree) labelOf(ctx context.Context, at string) (string, error) {
	if t.label == nil {
		return "", nil
	}
	return t.label(ctx, at)
}

// relabel sets the label of an open file or directory. By default it inherits the label of its directory, and confined
// programs cannot read it. File systems that store no labels, such as NFS, have one label for all files.
func relabel(f *os.File, label string) error {
	if label == "" {
		return nil
	}
	err := unix.Fsetxattr(int(f.Fd()), labelAttribute, append([]byte(label), 0), 0)
	if err != nil && !errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("label %s: %w", f.Name(), err)
	}
	return nil
}

// fill writes the content, then sets the owner, then the mode. chown(2) clears the set-user-ID bit, and an early mode
// would expose a secret.
func fill(f *os.File, content io.Reader, mode machine.Mode, uid, gid int) error {
	if _, err := io.Copy(f, content); err != nil {
		return err
	}
	if err := f.Chown(uid, gid); err != nil {
		return err
	}
	if err := unix.Fchmod(int(f.Fd()), uint32(mode)); err != nil {
		return err
	}
	return f.Sync()
}

// makeDirectory creates a directory and its parents, and syncs them to disk.
func (t *tree) makeDirectory(ctx context.Context, at string, mode machine.Mode, uid, gid int) error {
	return t.with(at, true, func(p *place) error {
		f, err := p.directory(ctx)
		if err != nil {
			return err
		}
		return errors.Join(p.adjust(f, mode, uid, gid), f.Close())
	})
}

// unlink removes a file if it exists.
func (t *tree) unlink(at string) error { return t.with(at, false, (*place).remove) }

// symlink creates or replaces a link.
func (t *tree) symlink(ctx context.Context, at, target string) error {
	return t.with(at, false, func(p *place) error { return p.link(ctx, target) })
}

// restore restores a captured state.
func (t *tree) restore(ctx context.Context, o journal.Original) error {
	switch {
	case !o.Exists:
		return t.remove(o.Name, o.NewDirs)
	case o.Link != "":
		return t.symlink(ctx, o.Name, o.Link)
	case o.Directory:
		return t.makeDirectory(ctx, o.Name, o.Mode, o.UID, o.GID)
	default:
		return t.restoreFile(ctx, o)
	}
}

func (t *tree) restoreFile(ctx context.Context, o journal.Original) error {
	content, err := t.originals.Open(ctx, o.SHA256)
	if err != nil {
		return fmt.Errorf("open the original of %s: %w", o.Name, err)
	}
	return errors.Join(t.write(ctx, o.Name, content, o.Mode, o.UID, o.GID), content.Close())
}

// remove removes a file or an empty directory. It also removes the parent directories that were created for it, if they
// are empty.
func (t *tree) remove(at string, made []string) error {
	err := t.unlink(at)
	if errors.Is(err, unix.ENOTDIR) {
		// The parent is a file, so the path does not exist. The file belongs to another operation.
		return nil
	}
	if err != nil {
		return err
	}
	for i := len(made) - 1; i >= 0; i-- {
		empty := false
		if err := t.with(made[i], false, func(p *place) error { empty = p.rmdir(); return nil }); err != nil || !empty {
			// The directory contains files of other software.
			return nil //nolint:nilerr // A remaining directory is not a failure.
		}
	}
	return nil
}
