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

// folder returns the open directory as a place's directory is not: it can be read and synchronized.
func (p *place) folder() (*os.File, error) { return openFolder(p.fd, ".", p.dir) }

func openFolder(fd int, name, path string) (*os.File, error) {
	fd, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil //nolint:gosec // A descriptor is not negative.
}

// make creates the directories that do not exist.
func (p *place) make(ctx context.Context) error {
	for len(p.lacks) > 0 {
		if err := p.enter(ctx, p.lacks[0]); err != nil {
			return fmt.Errorf("%s: %w", p.at, err)
		}
		p.lacks = p.lacks[1:]
	}
	return nil
}

// enter makes a directory in the open one, which then survives a power cut, and opens it in its place.
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

// mkdir makes a directory under another name and moves it to its own once it has its owner, mode and label. So a power
// cut leaves the whole of it or nothing, and the next run takes over what is left. A directory that is there stays.
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

// claim moves a new directory to its own name. Another one that has the name by then stays.
func (p *place) claim(next, name string) error {
	err := unix.Renameat2(p.fd, next, p.fd, name, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) {
		// A file system that does not know the flag. What is replaced without it is a directory that is empty, too.
		err = unix.Renameat(p.fd, next, p.fd, name)
	}
	if errors.Is(err, fs.ErrExist) {
		err = p.unlink(next)
	}
	return err
}

// adopt gives a directory that was made just now its owner, mode and label. Below a directory of another user it is
// that user's, as if the user had made it.
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
	// The process may keep others out of what it makes; these directories are for everybody.
	return errors.Join(err, unix.Fchmod(int(f.Fd()), 0o755), relabel(f, label))
}

// directory makes a directory if there is none, and returns it open.
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

// inside makes the directory, adjusts it and calls the function with a place in it. Nobody can exchange the directory
// in between.
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

// adjust gives the directory an owner and a mode. One that belongs to a user who is neither the wanted owner nor the
// owner of the directory above it is not given away.
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

// rmdir removes a directory that is empty. It reports whether none is left.
func (p *place) rmdir() bool {
	err := fs.ErrNotExist
	if len(p.lacks) == 0 {
		err = unix.Unlinkat(p.fd, p.base, unix.AT_REMOVEDIR)
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}
