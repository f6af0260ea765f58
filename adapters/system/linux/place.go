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
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

const (
	// maxRead limits the bytes of a file that are read into memory.
	maxRead = 16 << 20
	// maxShared limits the copy of a file that another user may have created, so that a sparse file does not fill the
	// disk.
	maxShared = 256 << 20
)

// othersWrite are the mode bits that let users other than the owner change the entries of a directory.
const othersWrite = 0o022

// place is an entry of an open directory. Operations on it use the descriptor, so they affect the same directory even
// if the directory is renamed.
type place struct {
	tree *tree
	// at is the original path, for messages and labels.
	at string
	opened
	// dir is the path of the directory without links.
	dir string
	// lacks are the missing directories between the open one and the entry.
	lacks []string
	base  string
}

func (p *place) close() { _ = unix.Close(p.fd) }

// path returns the path without links.
func (p *place) path() string {
	return path.Join(append(append([]string{p.dir}, p.lacks...), p.base)...)
}

// shared reports whether users other than root can change the entry.
func (p *place) shared() bool { return p.foreign || p.public || p.stat.Mode&othersWrite != 0 }

// refuse returns the error for a program that needs a path in a directory in which other users can rename entries.
func (p *place) refuse(do string) error {
	return fmt.Errorf("%s %s: other users own or write a directory above it; use a path whose "+
		"directories only root writes", do, p.at)
}

// status returns the status of the entry, or fs.ErrNotExist.
func (p *place) status() (unix.Stat_t, error) {
	var s unix.Stat_t
	if len(p.lacks) > 0 {
		return s, unix.ENOENT
	}
	return s, unix.Fstatat(p.fd, p.base, &s, unix.AT_SYMLINK_NOFOLLOW)
}

// missing returns the paths of the missing directories, outermost first.
func (p *place) missing() []string {
	var dirs []string
	for i := range p.lacks {
		dirs = append(dirs, path.Join(p.dir, path.Join(p.lacks[:i+1]...)))
	}
	return dirs
}

// state returns the state of the entry without its content, and the missing directories above it.
func (p *place) state(o journal.Original) (journal.Original, error) {
	s, err := p.status()
	if errors.Is(err, fs.ErrNotExist) {
		o.NewDirs = p.missing()
		return o, nil
	}
	if err != nil {
		return o, err
	}
	o.Exists = true
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		o.Size = s.Size
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

// open opens a regular file and refuses all other types: a FIFO blocks, and opening a device can have side effects. A
// file that other users can exchange must have one link only. Otherwise it could be a hard link to a file that they
// cannot read.
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

// read returns the content and the status of a small regular file.
func (p *place) read() ([]byte, unix.Stat_t, error) {
	f, s, err := p.open()
	if err != nil {
		return nil, s, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRead+1))
	if len(data) > maxRead {
		err = fmt.Errorf("%s has more than %d bytes; remove it", p.at, maxRead)
	}
	return data, s, errors.Join(err, f.Close())
}

// save stores a copy of a regular file and sets the fields of the original that describe it.
func (p *place) save(ctx context.Context, o *journal.Original) error {
	f, s, err := p.open()
	if err != nil {
		return err
	}
	if p.shared() && s.Size > maxShared {
		return errors.Join(fmt.Errorf("%s has more than %d bytes; remove it", p.at, maxShared), f.Close())
	}
	o.Mode, o.UID, o.GID, o.Size = machine.Mode(s.Mode&0o7777), int(s.Uid), int(s.Gid), s.Size
	// The size limits the copy: bytes that are appended from now on are not part of the original.
	o.SHA256, err = p.tree.originals.Save(ctx, io.NewSectionReader(f, 0, s.Size))
	return errors.Join(err, f.Close())
}

// sync flushes the entries of the open directory to disk.
func (p *place) sync() error {
	f, err := p.folder()
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// create creates an empty file with mode 0600 and replaces an existing entry of that name.
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

// unlink removes an entry of the open directory if it exists. A directory must be empty.
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

// write replaces a file atomically. After it returns, the file survives a power cut.
func (p *place) write(ctx context.Context, content io.Reader, mode machine.Mode, uid, gid int) error {
	if err := p.make(ctx); err != nil {
		return err
	}
	label, err := p.tree.labelOf(ctx, p.at)
	if err != nil {
		return err
	}
	next := linuxcmd.Temporary(p.base)
	f, err := p.create(next)
	if err != nil {
		return err
	}
	err = errors.Join(p.bare(f, uid), relabel(f, label), fill(f, content, mode, uid, gid))
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, p.unlink(next))
	}
	return p.move(next)
}

// bare removes the access control list that a new file or directory inherits from a directory of another user. The list
// could let other users read the content. Source: acl(5).
func (p *place) bare(f *os.File, uid int) error {
	if !p.shared() || uid == int(p.stat.Uid) {
		return nil
	}
	for _, list := range []string{"system.posix_acl_access", "system.posix_acl_default"} {
		err := unix.Fremovexattr(int(f.Fd()), list)
		if err != nil && !errors.Is(err, unix.ENODATA) && !errors.Is(err, unix.ENOTSUP) {
			return fmt.Errorf("remove the access control list of %s: %w", p.at, err)
		}
	}
	return nil
}

// move renames next to the entry. It replaces anything except a directory.
func (p *place) move(next string) error {
	if err := unix.Renameat(p.fd, next, p.fd, p.base); err != nil {
		return errors.Join(fmt.Errorf("replace %s: %w", p.at, err), p.unlink(next))
	}
	return p.sync()
}

// link replaces the entry with a symbolic link, atomically.
func (p *place) link(ctx context.Context, target string) error {
	if err := p.make(ctx); err != nil {
		return err
	}
	next := linuxcmd.Temporary(p.base)
	if err := p.unlink(next); err != nil {
		return err
	}
	if err := unix.Symlinkat(target, p.fd, next); err != nil {
		return err
	}
	return p.move(next)
}

// remove removes a file or an empty directory, and its temporary file from an interrupted run.
func (p *place) remove() error {
	if len(p.lacks) > 0 {
		return p.tidy(p.lacks[0])
	}
	err := p.unlink(p.base)
	if errors.Is(err, unix.ENOTEMPTY) {
		err = nil
	}
	return errors.Join(err, p.tidy(p.base), p.sync())
}

// tidy removes the temporary file or directory of the name. It keeps a directory that a user has filled.
func (p *place) tidy(name string) error {
	if err := p.unlink(linuxcmd.Temporary(name)); !errors.Is(err, unix.ENOTEMPTY) {
		return err
	}
	return nil
}
