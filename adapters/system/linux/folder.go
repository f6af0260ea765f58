//go:build linux

package linux

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/machine"
)

// folder opens the directory for reading and fsync. The descriptor of a place permits neither.
func (p *place) folder() (*os.File, error) { return openFolder(p.fd, ".", p.dir) }

func openFolder(fd int, name, path string) (*os.File, error) {
	fd, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil //nolint:gosec // A descriptor is not negative.
}

// make creates the missing directories.
func (p *place) make(ctx context.Context) error {
	for len(p.lacks) > 0 {
		if err := p.enter(ctx, p.lacks[0]); err != nil {
			return fmt.Errorf("%s: %w", p.at, err)
		}
		p.lacks = p.lacks[1:]
	}
	return nil
}

// enter creates a directory inside the open one, syncs it to disk, and opens it.
func (p *place) enter(ctx context.Context, name string) error {
	if err := p.mkdir(ctx, name); err != nil {
		return err
	}
	fd, err := unix.Openat(p.fd, name, openDirectory, 0)
	if err != nil {
		return err
	}
	inner := *p
	inner.fd, inner.name, inner.dir = fd, name, path.Join(p.dir, name)
	if err := unix.Fstat(fd, &inner.stat); err != nil {
		return errors.Join(err, unix.Close(fd))
	}
	p.close()
	inner.inherit(p.tree)
	*p = inner
	return nil
}

// mkdir creates a directory under a temporary name, sets its owner, mode and label, and renames it. A power cut leaves
// a complete directory or none, and the next run reuses the remainder. An existing directory stays.
func (p *place) mkdir(ctx context.Context, name string) error {
	label, err := p.tree.labelOf(ctx, path.Join(p.dir, name))
	if err != nil {
		return err
	}
	p.tree.making.Lock()
	defer p.tree.making.Unlock()
	var s unix.Stat_t
	if unix.Fstatat(p.fd, name, &s, unix.AT_SYMLINK_NOFOLLOW) == nil {
		return nil
	}
	next := linuxcmd.Temporary(name)
	if err := p.unlink(next); err != nil {
		return err
	}
	err = unix.Mkdirat(p.fd, next, 0o700)
	if err == nil {
		err = p.adopt(next, label)
	}
	if err == nil {
		err = p.claim(next, name)
	}
	if err != nil {
		return errors.Join(err, p.unlink(next))
	}
	return p.sync()
}

// claim renames a new directory to its final name. A directory that has the name already stays.
func (p *place) claim(next, name string) error {
	err := unix.Renameat2(p.fd, next, p.fd, name, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) {
		// The file system does not support RENAME_NOREPLACE. Without it, rename replaces only an empty directory.
		err = unix.Renameat(p.fd, next, p.fd, name)
	}
	if errors.Is(err, fs.ErrExist) {
		err = p.unlink(next)
	}
	return err
}

// adopt sets owner, mode and label of a new directory. Below a directory of another user it belongs to that user, as if
// the user had created it.
func (p *place) adopt(name, label string) error {
	f, err := openFolder(p.fd, name, path.Join(p.dir, name))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if p.shared() {
		var s unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &s); err != nil {
			return err
		}
		if _, err := f.Readdirnames(1); !errors.Is(err, io.EOF) || !p.tree.trusts(s.Uid) {
			return fmt.Errorf("%s: a user put another directory in the place of the new one", p.at)
		}
	}
	if p.foreign {
		err = f.Chown(int(p.stat.Uid), int(p.stat.Gid))
	}
	// The umask may be restrictive, but all users may enter these directories.
	return errors.Join(err, unix.Fchmod(int(f.Fd()), 0o755), relabel(f, label))
}

// directory creates the directory if it does not exist, and opens it.
func (p *place) directory(ctx context.Context) (*os.File, error) {
	if err := p.make(ctx); err != nil {
		return nil, err
	}
	_, err := p.status()
	if errors.Is(err, fs.ErrNotExist) {
		inner := *p
		if inner.fd, err = unix.Openat(p.fd, ".", openDirectory, 0); err != nil {
			return nil, err
		}
		defer func() { inner.close() }()
		if err := inner.enter(ctx, p.base); err != nil {
			return nil, err
		}
	}
	f, err := openFolder(p.fd, p.base, p.path())
	if errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil, fmt.Errorf("%s is not a directory", p.at)
	}
	return f, err
}

// inside creates the directory, adjusts it, and calls do with a place in it. The open descriptor keeps other users from
// exchanging the directory in between.
func (p *place) inside(ctx context.Context, mode machine.Mode, uid, gid int, do func(*place) error) error {
	f, err := p.directory(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := p.adjust(f, mode, uid, gid); err != nil {
		return err
	}
	inner := *p
	inner.fd, inner.dir = int(f.Fd()), p.path()
	if err := unix.Fstat(inner.fd, &inner.stat); err != nil {
		return err
	}
	inner.inherit(p.tree)
	return do(&inner)
}

// adjust sets owner and mode of the directory. It refuses a directory that belongs neither to the desired owner nor to
// the owner of its parent directory.
func (p *place) adjust(f *os.File, mode machine.Mode, uid, gid int) error {
	var s unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &s); err != nil {
		return err
	}
	if p.shared() && !p.tree.trusts(s.Uid) && s.Uid != p.stat.Uid && int(s.Uid) != uid {
		return fmt.Errorf("%s belongs to the user %d, and the directory above it to the user %d; remove it", p.at,
			s.Uid, p.stat.Uid)
	}
	return errors.Join(p.bare(f, uid), f.Chown(uid, gid), unix.Fchmod(int(f.Fd()), uint32(mode)), f.Sync())
}

// rmdir removes an empty directory. It reports whether the directory is gone.
func (p *place) rmdir() bool {
	err := fs.ErrNotExist
	if len(p.lacks) == 0 {
		err = unix.Unlinkat(p.fd, p.base, unix.AT_REMOVEDIR)
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}
