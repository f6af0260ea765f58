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

// tree is the machine's files below a directory.
type tree struct {
	dir  string
	root *os.Root
	// base is the directory, open.
	base *os.File
	// self is the user that the agent is.
	self int64
	// making is locked while a directory is made, under a name that is the same for all who make it.
	making *sync.Mutex
	// label returns the SELinux label that the policy has for a path; empty if there is none. It is nil where SELinux is
	// off.
	label func(ctx context.Context, path string) (string, error)
	// getent returns what the machine's name services have for a key of a database of accounts; empty if nothing. It is
	// nil where nobody can be asked: in a tree that does not run.
	getent func(ctx context.Context, database, key string) (string, error)
	// originals stores copies of files that are replaced.
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

// with calls the function with the place of a path.
func (t *tree) with(at string, follow bool, do func(*place) error) error {
	p, err := t.find(at, follow)
	if err != nil {
		return err
	}
	defer func() { p.close() }()
	return do(p)
}

// follow returns the path of what a program that opens the path comes to: all links are followed, the last element's,
// too.
func (t *tree) follow(at string) (string, error) {
	var name string
	err := t.with(at, true, func(p *place) error { name = p.path(); return nil })
	return name, err
}

// status returns what a program that opens the path comes to.
func (t *tree) status(at string) (unix.Stat_t, error) {
	var s unix.Stat_t
	err := t.with(at, true, func(p *place) (err error) { s, err = p.status(); return err })
	return s, err
}

// exists reports whether something stands at the path. A link to nothing is nothing.
func (t *tree) exists(at string) bool {
	_, err := t.status(at)
	return err == nil
}

// room returns what there is of the file system on which the path is.
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

// read returns the bytes of a regular file, or of the one that a link leads to.
func (t *tree) read(at string) ([]byte, error) {
	var data []byte
	err := t.with(at, true, func(p *place) (err error) { data, _, err = p.read(); return err })
	return data, err
}

// open opens a regular file.
func (t *tree) open(at string, follow bool) (io.ReadCloser, error) {
	var f *os.File
	err := t.with(at, follow, func(p *place) (err error) { f, _, err = p.open(); return err })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// digest computes the digest of a regular file in hexadecimal.
func (t *tree) digest(at string, h hash.Hash) (string, error) {
	f, err := t.open(at, false)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// state returns what is at the path without its content, and which directories above it do not exist.
func (t *tree) state(at string) (journal.Original, error) {
	o := journal.Original{Thing: journal.ThingPath, Name: at}
	err := t.with(at, false, func(p *place) (err error) { o, err = p.state(o); return err })
	return o, err
}

// write puts a file into its place in one move. Once it returns, the file survives a power cut.
func (t *tree) write(ctx context.Context, at string, content io.Reader, mode machine.Mode, uid, gid int) error {
	return t.with(at, false, func(p *place) error { return p.write(ctx, content, mode, uid, gid) })
}

// labelAttribute is where a file has its SELinux label.
const labelAttribute = "security.selinux"

// labelOf returns the label that the policy has for the path, if there is one.
func (t *tree) labelOf(ctx context.Context, at string) (string, error) {
	if t.label == nil {
		return "", nil
	}
	return t.label(ctx, at)
}

// relabel gives an open file or directory its label. Without that a file has the label of the directory in which it was
// made, and confined programs cannot read it.
func relabel(f *os.File, label string) error {
	if label == "" {
		return nil
	}
	if err := unix.Fsetxattr(int(f.Fd()), labelAttribute, append([]byte(label), 0), 0); err != nil {
		return fmt.Errorf("label %s: %w", f.Name(), err)
	}
	return nil
}

// fill writes, then owns, then permits: chown clears the set-user-ID bit, and nobody may read a secret in between.
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

// makeDirectory makes a directory and those above it, which then survive a power cut.
func (t *tree) makeDirectory(ctx context.Context, at string, mode machine.Mode, uid, gid int) error {
	return t.with(at, true, func(p *place) error {
		f, err := p.directory(ctx)
		if err != nil {
			return err
		}
		return errors.Join(p.adjust(f, mode, uid, gid), f.Close())
	})
}

// unlink removes a file if it is there.
func (t *tree) unlink(at string) error { return t.with(at, false, (*place).remove) }

// symlink puts a link into its place.
func (t *tree) symlink(ctx context.Context, at, target string) error {
	return t.with(at, false, func(p *place) error { return p.link(ctx, target) })
}

// restore puts back what a capture found.
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

// remove removes a file, or a directory that is empty, and those of the directories above it that were made for it and
// that nobody else has put anything into.
func (t *tree) remove(at string, made []string) error {
	err := t.unlink(at)
	if errors.Is(err, unix.ENOTDIR) {
		// A file stands where the folder would be, so nothing is there, and the file is not this one's to remove.
		return nil
	}
	if err != nil {
		return err
	}
	for i := len(made) - 1; i >= 0; i-- {
		empty := false
		if err := t.with(made[i], false, func(p *place) error { empty = p.rmdir(); return nil }); err != nil || !empty {
			// Somebody else uses the directory by now.
			return nil //nolint:nilerr // What is left of a directory is no failure.
		}
	}
	return nil
}
