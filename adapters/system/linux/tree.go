//go:build linux

package linux

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	securejoin "github.com/cyphar/filepath-securejoin"

	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// temporary is what the name of a file has at its end until the file is complete, and longestName is what a file system takes
// of a name, in bytes.
const (
	temporary   = ".machineadm-new"
	longestName = 255
)

// beside returns the name that a file has until it is complete. It begins with a dot, so that programs that read all files of
// a directory, as the kubelet reads static pods, pass over what a power cut left. It is always the same, so that the next run
// takes that over.
func beside(name string) string {
	dir, base := filepath.Split(name)
	if len(base)+len(temporary)+1 > longestName {
		sum := sha256.Sum256([]byte(base))
		base = hex.EncodeToString(sum[:])
	}
	return dir + "." + base + temporary
}

// tree is the machine's files below a directory.
type tree struct {
	dir  string
	root *os.Root
	// label returns the SELinux label that the policy has for a path; empty if there is none. It is nil where SELinux is off.
	label func(path string) (string, error)
	// getent returns what the machine's name services have for a key of a database of accounts; empty if nothing. It is nil where
	// nobody can be asked: in a tree that does not run.
	getent func(ctx context.Context, database, key string) (string, error)
}

func openTree(dir string) (*tree, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, err
	}
	return &tree{dir: absolute, root: root}, nil
}

// resolve returns the name below the root of what stands at the path. Links on the way are followed as the machine itself
// would follow them; the last element is taken as it is, since a link there is replaced and not followed. Should a link
// appear in the meantime, os.Root does not leave the tree.
func (t *tree) resolve(at string) (string, error) {
	dir, err := t.follow(path.Dir(at))
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, path.Base(at)), nil
}

// follow returns the name below the root of what a program that opens the path comes to: all links are followed, the last element's,
// too. os.Root would refuse a link to an absolute path, which many a system has.
func (t *tree) follow(at string) (string, error) {
	full, err := securejoin.SecureJoin(t.dir, at)
	if err != nil {
		return "", fmt.Errorf("%s: %w", at, err)
	}
	below, err := filepath.Rel(t.dir, full)
	if err != nil {
		return "", fmt.Errorf("%s: %w", at, err)
	}
	return below, nil
}

// exists reports whether something stands at the path. A link to nothing is nothing.
func (t *tree) exists(at string) bool {
	name, err := t.follow(at)
	if err != nil {
		return false
	}
	_, err = t.root.Stat(name)
	return err == nil
}

// read returns the bytes of a regular file, or of the one that a link leads to.
func (t *tree) read(at string) ([]byte, error) {
	name, err := t.follow(at)
	if err != nil {
		return nil, err
	}
	return t.root.ReadFile(name)
}

// capture returns what stands at the path, and which directories above it do not exist.
func (t *tree) capture(at string) (journal.Original, error) {
	o := journal.Original{Thing: journal.ThingPath, Name: at}
	name, err := t.resolve(at)
	if err != nil {
		return o, err
	}
	info, err := t.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		o.Made = t.missing(name)
		return o, nil
	}
	if err != nil {
		return o, err
	}
	o.Exists, o.Directory = true, info.IsDir()
	o.Mode, o.UID, o.GID = attributes(info)
	switch {
	case info.Mode().IsRegular():
		o.Content, err = t.root.ReadFile(name)
	case info.Mode()&fs.ModeSymlink != 0:
		o.Link, err = t.root.Readlink(name)
	case !info.IsDir():
		return o, fmt.Errorf("%s is neither a file, a directory nor a link", at)
	}
	return o, err
}

// missing returns the directories above the name that do not exist, outermost first.
func (t *tree) missing(name string) []string {
	var dirs []string
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if _, err := t.root.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dirs = append(dirs, "/"+dir)
	}
	slices.Reverse(dirs)
	return dirs
}

func attributes(info fs.FileInfo) (machine.Mode, int, int) {
	mode := machine.Mode(info.Mode().Perm())
	for bit, flag := range map[machine.Mode]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if info.Mode()&flag != 0 {
			mode |= bit
		}
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return mode, int(s.Uid), int(s.Gid)
	}
	return mode, 0, 0
}

// osMode is the reverse of attributes.
func osMode(m machine.Mode) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	for bit, flag := range map[machine.Mode]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if m&bit != 0 {
			mode |= flag
		}
	}
	return mode
}

// write puts a file into its place in one move. Once it returns, the file survives a power cut.
func (t *tree) write(at string, content io.Reader, mode machine.Mode, uid, gid int) error {
	name, err := t.parents(at)
	if err != nil {
		return err
	}
	next := beside(name)
	if err := t.root.RemoveAll(next); err != nil {
		return err
	}
	f, err := t.root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(t.relabel(f, at), fill(f, content, mode, uid, gid))
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, t.root.RemoveAll(next))
	}
	return t.move(next, name)
}

// labelAttribute is where a file has its SELinux label.
const labelAttribute = "security.selinux"

// relabel gives an open file or directory the label that the policy has for the path. Without that a file has the label of the
// directory in which it was made, and confined programs cannot read it.
func (t *tree) relabel(f *os.File, at string) error {
	if t.label == nil {
		return nil
	}
	label, err := t.label(at)
	if err != nil || label == "" {
		return err
	}
	if err := syscall.Setxattr(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), labelAttribute, append([]byte(label), 0), 0); err != nil {
		return fmt.Errorf("label %s: %w", at, err)
	}
	return nil
}

func (t *tree) relabelAt(name string) error {
	if t.label == nil {
		return nil
	}
	f, err := t.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(t.relabel(f, "/"+name), f.Close())
}

// fill writes, then owns, then permits: chown clears the set-user-ID bit, and nobody may read a secret in between.
func fill(f *os.File, content io.Reader, mode machine.Mode, uid, gid int) error {
	if _, err := io.Copy(f, content); err != nil {
		return err
	}
	if err := f.Chown(uid, gid); err != nil {
		return err
	}
	if err := f.Chmod(osMode(mode)); err != nil {
		return err
	}
	return f.Sync()
}

// move replaces what stands at the name, whatever it is but a directory.
func (t *tree) move(next, name string) error {
	if err := t.root.Rename(next, name); err != nil {
		return errors.Join(err, t.root.RemoveAll(next))
	}
	return t.sync(filepath.Dir(name))
}

// sync waits until what a directory says of itself and of its entries is on the disk.
func (t *tree) sync(name string) error {
	dir, err := t.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// parents makes the directories above the path and returns the path's name below the root.
func (t *tree) parents(at string) (string, error) {
	name, err := t.resolve(at)
	if err != nil {
		return "", err
	}
	return name, t.makeAll(filepath.Dir(name))
}

// makeAll makes a directory and those above it, which then survive a power cut.
func (t *tree) makeAll(name string) error {
	missing := t.missing(filepath.Join(name, "x"))
	if err := t.root.MkdirAll(name, 0o755); err != nil {
		return err
	}
	for _, dir := range missing {
		made := strings.TrimPrefix(dir, "/")
		// The process may keep others out of what it makes; these directories are for everybody.
		if err := t.root.Chmod(made, 0o755); err != nil {
			return err
		}
		if err := t.relabelAt(made); err != nil {
			return err
		}
		if err := t.sync(filepath.Dir(made)); err != nil {
			return err
		}
	}
	return nil
}

// unlink removes a file if it is there.
func (t *tree) unlink(at string) error {
	name, err := t.resolve(at)
	if err != nil {
		return err
	}
	return t.root.RemoveAll(name)
}

// symlink puts a link into its place.
func (t *tree) symlink(at, target string) error {
	name, err := t.parents(at)
	if err != nil {
		return err
	}
	next := beside(name)
	if err := t.root.RemoveAll(next); err != nil {
		return err
	}
	if err := t.root.Symlink(target, next); err != nil {
		return err
	}
	return t.move(next, name)
}

// restore puts back what a capture found.
func (t *tree) restore(o journal.Original) error {
	name, err := t.resolve(o.Name)
	if err != nil {
		return err
	}
	switch {
	case !o.Exists:
		return t.remove(name, o.Made)
	case o.Link != "":
		return t.symlink(o.Name, o.Link)
	case o.Directory:
		return t.adjust(name, o.Mode, o.UID, o.GID)
	default:
		return t.write(o.Name, strings.NewReader(string(o.Content)), o.Mode, o.UID, o.GID)
	}
}

// remove removes a file, or a directory that is empty, and those of the directories above it that were made for it and that
// nobody else has put anything into.
func (t *tree) remove(name string, made []string) error {
	err := t.root.Remove(name)
	if errors.Is(err, syscall.ENOTDIR) {
		// A file stands where the folder would be, so nothing is there, and the file is not this one's to remove.
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	if err := t.sync(filepath.Dir(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for i := len(made) - 1; i >= 0; i-- {
		if err := t.root.Remove(strings.TrimPrefix(made[i], "/")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			// Somebody else uses the directory by now.
			return nil
		}
	}
	return nil
}

func (t *tree) adjust(name string, mode machine.Mode, uid, gid int) error {
	if err := t.root.Lchown(name, uid, gid); err != nil {
		return err
	}
	if err := t.root.Chmod(name, osMode(mode)); err != nil {
		return err
	}
	return t.sync(name)
}

// inside returns the path outside the tree of what stands at a path inside it, links followed.
func (t *tree) inside(at string) string {
	full, err := securejoin.SecureJoin(t.dir, at)
	if err != nil {
		return t.dir
	}
	return full
}
