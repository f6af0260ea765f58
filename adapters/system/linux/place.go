//go:build linux

package linux

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// largestShared is how many bytes are read of a file that another user may have put there, so that a sparse file does
// not fill the memory.
const largestShared = 256 << 20

// othersWrite are the bits of a directory's mode by which users other than its owner change its entries.
const othersWrite = 0o022

// place is an entry of an open directory. All that is done to it is done in that directory, whatever becomes of the
// directory's name.
type place struct {
	tree *tree
	// at is the path as it was given, for messages and labels.
	at string
	opened
	// dir is the path of the directory without links.
	dir string
	// lacks are the directories between the open one and the entry that do not exist.
	lacks []string
	base  string
}

func (p *place) close() { _ = unix.Close(p.fd) }

// path returns the path without links.
func (p *place) path() string {
	return path.Join(append(append([]string{p.dir}, p.lacks...), p.base)...)
}

// shared reports whether users other than root can change the entry.
func (p *place) shared() bool { return p.foreign || p.stat.Mode&othersWrite != 0 }

// refuse is the error for what a program does by name, in a directory in which another user can exchange names.
func (p *place) refuse(do string) error {
	return fmt.Errorf("%s %s: a directory above it belongs to another user; use a path whose directories belong to root", do, p.at)
}

// status returns what is there; fs.ErrNotExist if nothing is.
func (p *place) status() (unix.Stat_t, error) {
	var s unix.Stat_t
	if len(p.lacks) > 0 {
		return s, unix.ENOENT
	}
	return s, unix.Fstatat(p.fd, p.base, &s, unix.AT_SYMLINK_NOFOLLOW)
}

// missing returns the paths of the directories that do not exist, outermost first.
func (p *place) missing() []string {
	var dirs []string
	for i := range p.lacks {
		dirs = append(dirs, path.Join(p.dir, path.Join(p.lacks[:i+1]...)))
	}
	return dirs
}

// capture returns what is there, and which directories above it do not exist.
func (p *place) capture(o journal.Original) (journal.Original, error) {
	s, err := p.status()
	if errors.Is(err, fs.ErrNotExist) {
		o.Made = p.missing()
		return o, nil
	}
	if err != nil {
		return o, err
	}
	o.Exists = true
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		o.Content, s, err = p.read()
	case unix.S_IFLNK:
		target := make([]byte, unix.PathMax)
		var n int
		n, err = unix.Readlinkat(p.fd, p.base, target)
		o.Link = string(target[:max(n, 0)])
	case unix.S_IFDIR:
		o.Directory = true
	default:
		err = fmt.Errorf("%s is neither a file, a directory nor a link", p.at)
	}
	o.Mode, o.UID, o.GID = machine.Mode(s.Mode&0o7777), int(s.Uid), int(s.Gid)
	return o, err
}

// open opens a regular file, and nothing else: a FIFO would block, and to open a device may have effects. A file that
// other users can exchange must have one name, since it could be the second name of a file that they cannot read.
func (p *place) open() (*os.File, unix.Stat_t, error) {
	s, err := p.status()
	if err != nil {
		return nil, s, err
	}
	if s.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, s, fmt.Errorf("%s is not a regular file", p.at)
	}
	fd, err := unix.Openat(p.fd, p.base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, s, err
	}
	if err := errors.Join(unix.Fstat(fd, &s), unix.SetNonblock(fd, false)); err != nil {
		return nil, s, errors.Join(err, unix.Close(fd))
	}
	f := os.NewFile(uintptr(fd), p.path()) //nolint:gosec // A descriptor is not negative.
	if s.Mode&unix.S_IFMT != unix.S_IFREG || p.shared() && s.Nlink != 1 {
		return nil, s, errors.Join(fmt.Errorf("%s is not a regular file of one link; remove it", p.at), f.Close())
	}
	return f, s, nil
}

// read returns the bytes of a regular file, and whose they are.
func (p *place) read() ([]byte, unix.Stat_t, error) {
	f, s, err := p.open()
	if err != nil {
		return nil, s, err
	}
	limit := int64(largest)
	if p.shared() {
		limit = largestShared
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if int64(len(data)) > limit {
		err = fmt.Errorf("%s has more than %d bytes; remove it", p.at, limit)
	}
	return data, s, errors.Join(err, f.Close())
}

// folder returns the open directory as a place's directory is not: it can be read and synchronized.
func (p *place) folder() (*os.File, error) { return openFolder(p.fd, ".", p.dir) }

func openFolder(fd int, name, path string) (*os.File, error) {
	fd, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil //nolint:gosec // A descriptor is not negative.
}

// sync waits until the entries of the open directory are on the disk.
func (p *place) sync() error {
	f, err := p.folder()
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// make creates the directories that do not exist. Below a directory of another user they are that user's, as if the
// user had made them.
func (p *place) make() error {
	for len(p.lacks) > 0 {
		if err := p.enter(p.lacks[0]); err != nil {
			return fmt.Errorf("%s: %w", p.at, err)
		}
		p.lacks = p.lacks[1:]
	}
	return nil
}

// enter makes a directory in the open one, which then survives a power cut, and opens it in its place.
func (p *place) enter(name string) error {
	label, err := p.tree.labelOf(path.Join(p.dir, name))
	if err != nil {
		return err
	}
	p.tree.making.Lock()
	defer p.tree.making.Unlock()
	// It has its usual mode from the start: after a power cut before adopt, the next run finds it and does not change it.
	err = unix.Mkdirat(p.fd, name, 0o755)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	created := err == nil
	fd, err := unix.Openat(p.fd, name, openDirectory, 0)
	if err != nil {
		return err
	}
	inner := *p
	inner.fd, inner.name, inner.dir = fd, name, path.Join(p.dir, name)
	if err := unix.Fstat(fd, &inner.stat); err != nil {
		return errors.Join(err, unix.Close(fd))
	}
	if created {
		err = errors.Join(inner.adopt(p, label), p.sync())
	}
	p.close()
	inner.foreign = inner.foreign || !p.tree.trusts(inner.stat.Uid)
	*p = inner
	return err
}

// adopt gives a directory that was made just now its owner, mode and label. Should a user have put another one in its
// place, it stays.
func (p *place) adopt(parent *place, label string) error {
	f, err := p.folder()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if parent.foreign {
		if _, err := f.Readdirnames(1); !errors.Is(err, io.EOF) || !p.tree.trusts(p.stat.Uid) {
			return nil
		}
		err = f.Chown(int(parent.stat.Uid), int(parent.stat.Gid))
	}
	// The process may keep others out of what it makes; these directories are for everybody.
	return errors.Join(err, unix.Fchmod(int(f.Fd()), 0o755), relabel(f, label), unix.Fstat(p.fd, &p.stat))
}

// create makes an empty file that nobody else can open, in the place of whatever has that name.
func (p *place) create(name string) (*os.File, error) {
	if err := p.unlink(name); err != nil {
		return nil, err
	}
	fd, err := unix.Openat(p.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path.Join(p.dir, name)), nil //nolint:gosec // A descriptor is not negative.
}

// unlink removes an entry of the open directory if it is there. A directory has to be empty.
func (p *place) unlink(name string) error {
	err := unix.Unlinkat(p.fd, name, 0)
	if errors.Is(err, unix.EISDIR) {
		err = unix.Unlinkat(p.fd, name, unix.AT_REMOVEDIR)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// write puts a file into its place in one move. Once it returns, the file survives a power cut.
func (p *place) write(content io.Reader, mode machine.Mode, uid, gid int) error {
	if err := p.make(); err != nil {
		return err
	}
	label, err := p.tree.labelOf(p.at)
	if err != nil {
		return err
	}
	next := beside(p.base)
	f, err := p.create(next)
	if err != nil {
		return err
	}
	err = errors.Join(relabel(f, label), fill(f, content, mode, uid, gid))
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, p.unlink(next))
	}
	return p.move(next)
}

// move replaces what is there, whatever it is but a directory.
func (p *place) move(next string) error {
	if err := unix.Renameat(p.fd, next, p.fd, p.base); err != nil {
		return errors.Join(fmt.Errorf("replace %s: %w", p.at, err), p.unlink(next))
	}
	return p.sync()
}

// link puts a symbolic link into its place.
func (p *place) link(target string) error {
	if err := p.make(); err != nil {
		return err
	}
	next := beside(p.base)
	if err := p.unlink(next); err != nil {
		return err
	}
	if err := unix.Symlinkat(target, p.fd, next); err != nil {
		return err
	}
	return p.move(next)
}

// directory makes a directory if there is none, and returns it open.
func (p *place) directory() (*os.File, error) {
	if err := p.make(); err != nil {
		return nil, err
	}
	_, err := p.status()
	if errors.Is(err, fs.ErrNotExist) {
		inner := *p
		if inner.fd, err = unix.Openat(p.fd, ".", openDirectory, 0); err != nil {
			return nil, err
		}
		defer func() { inner.close() }()
		if err := inner.enter(p.base); err != nil {
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
func (p *place) inside(mode machine.Mode, uid, gid int, do func(*place) error) error {
	f, err := p.directory()
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
	inner.foreign = p.foreign || !p.tree.trusts(inner.stat.Uid)
	return do(&inner)
}

// adjust gives the directory an owner and a mode. One that belongs to a user who is neither the wanted owner nor the
// owner of the directory above it is not given away.
func (p *place) adjust(f *os.File, mode machine.Mode, uid, gid int) error {
	var s unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &s); err != nil {
		return err
	}
	if p.foreign && !p.tree.trusts(s.Uid) && s.Uid != p.stat.Uid && int(s.Uid) != uid {
		return fmt.Errorf("%s belongs to the user %d, and the directory above it to the user %d; remove it", p.at, s.Uid, p.stat.Uid)
	}
	return errors.Join(f.Chown(uid, gid), unix.Fchmod(int(f.Fd()), uint32(mode)), f.Sync())
}

// remove removes a file, or a directory that is empty.
func (p *place) remove() error {
	if len(p.lacks) > 0 {
		return nil
	}
	err := p.unlink(p.base)
	if errors.Is(err, unix.ENOTEMPTY) {
		err = nil
	}
	return errors.Join(err, p.sync())
}

// rmdir removes a directory that is empty. It reports whether none is left.
func (p *place) rmdir() bool {
	err := fs.ErrNotExist
	if len(p.lacks) == 0 {
		err = unix.Unlinkat(p.fd, p.base, unix.AT_REMOVEDIR)
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}
