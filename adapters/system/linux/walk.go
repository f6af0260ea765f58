//go:build linux

package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// maxLinks limits the symbolic links in one path, as the kernel does.
const maxLinks = 40

// openDirectory opens a directory with O_PATH, which has no side effects and needs no read permission.
const openDirectory = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// opened is an open directory on a path.
type opened struct {
	fd   int
	name string
	stat unix.Stat_t
	// foreign reports whether the directory or one above it belongs to a user other than root and the agent's user.
	foreign bool
	// public reports whether all users can change the entries of the directory or of one above it.
	public bool
}

// walker opens the directories of a path one by one and never passes several elements to the kernel. So users cannot
// exchange a directory between check and use.
type walker struct {
	tree  *tree
	at    string
	stack []opened
	todo  []string
	links int
}

// find returns the place of a path. In directories of root it follows links of root, resolved inside the tree. It
// follows no links below a directory that another user owns or all users can write. It follows the last element only if
// follow is set.
func (t *tree) find(at string, follow bool) (*place, error) {
	w := &walker{tree: t, at: at, todo: strings.Split(path.Clean("/"+at), "/")}
	defer w.close()
	fd, err := unix.Openat(int(t.base.Fd()), ".", openDirectory, 0)
	if err == nil {
		err = w.push(fd, "")
	}
	for err == nil {
		var name string
		if name = w.next(); name == "" {
			return w.place(".", nil), nil
		}
		if !follow && len(w.todo) == 0 {
			return w.place(name, nil), nil
		}
		var done bool
		if done, err = w.step(name); done && err == nil {
			return w.place(name, nil), nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return w.missing(name)
		}
	}
	return nil, fmt.Errorf("%s: %w", at, err)
}

// next returns the next element, or an empty string at the end of the path.
func (w *walker) next() string {
	for len(w.todo) > 0 {
		name := w.todo[0]
		w.todo = w.todo[1:]
		switch name {
		case "", ".":
		case "..":
			w.truncate(max(len(w.stack)-1, 1))
		default:
			return name
		}
	}
	return ""
}

// step enters a directory or follows a link. It reports whether the element is the last one and neither.
func (w *walker) step(name string) (bool, error) {
	top := w.top()
	fd, err := unix.Openat(top.fd, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return false, err
	}
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return false, errors.Join(err, unix.Close(fd))
	}
	switch kind := s.Mode & unix.S_IFMT; {
	case kind == unix.S_IFLNK:
		return false, errors.Join(w.follow(fd, name, s), unix.Close(fd))
	case len(w.todo) == 0:
		return true, unix.Close(fd)
	case kind == unix.S_IFDIR:
		return false, errors.Join(unix.Close(fd), w.enter(name))
	default:
		return false, errors.Join(unix.ENOTDIR, unix.Close(fd))
	}
}

// enter opens a directory. O_DIRECTORY triggers an automount (autofs).
func (w *walker) enter(name string) error {
	fd, err := unix.Openat(w.top().fd, name, openDirectory, 0)
	if err != nil {
		return err
	}
	return w.push(fd, name)
}

// follow puts the target of a link in front of the remaining path.
func (w *walker) follow(fd int, name string, s unix.Stat_t) error {
	top := w.top()
	// In a public directory, a link of root may be a hard link that another user created to it.
	if top.foreign || top.public || !w.tree.trusts(s.Uid) {
		return fmt.Errorf("%s is a symbolic link that a user other than root may have made; remove it, or use a path whose "+
			"directories belong to root", path.Join(w.path(), name))
	}
	if w.links++; w.links > maxLinks {
		return unix.ELOOP
	}
	target := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", target)
	if err != nil {
		return err
	}
	if strings.HasPrefix(string(target[:n]), "/") {
		w.truncate(1)
	}
	w.todo = slices.Concat(strings.Split(string(target[:n]), "/"), w.todo)
	return nil
}

func (w *walker) push(fd int, name string) error {
	d := opened{fd: fd, name: name}
	if err := unix.Fstat(fd, &d.stat); err != nil {
		return errors.Join(err, unix.Close(fd))
	}
	d.inherit(w.tree)
	if len(w.stack) > 0 {
		d.foreign, d.public = d.foreign || w.top().foreign, d.public || w.top().public
	}
	w.stack = append(w.stack, d)
	return nil
}

// inherit sets foreign and public by the directory's owner and mode. It keeps the values that the parent directories
// set.
func (d *opened) inherit(t *tree) {
	d.foreign = d.foreign || !t.trusts(d.stat.Uid)
	d.public = d.public || d.stat.Mode&unix.S_IWOTH != 0
}

func (w *walker) top() opened { return w.stack[len(w.stack)-1] }

// truncate closes all but the first n directories.
func (w *walker) truncate(n int) {
	for _, d := range w.stack[n:] {
		_ = unix.Close(d.fd)
	}
	w.stack = w.stack[:n]
}

func (w *walker) close() { w.truncate(0) }

// path returns the path of the innermost directory, without links.
func (w *walker) path() string {
	names := make([]string, len(w.stack))
	for i, d := range w.stack {
		names[i] = d.name
	}
	return "/" + path.Join(names...)
}

// place returns an entry of the innermost directory, or of a missing directory below it.
func (w *walker) place(base string, lacks []string) *place {
	p := &place{tree: w.tree, at: w.at, opened: w.top(), dir: w.path(), lacks: lacks, base: base}
	w.stack = w.stack[:len(w.stack)-1]
	return p
}

// missing returns the place of a path whose elements do not exist from this one on.
func (w *walker) missing(name string) (*place, error) {
	names := append([]string{name}, slices.DeleteFunc(w.todo, func(s string) bool { return s == "" || s == "." })...)
	if slices.Contains(names, "..") {
		return nil, fmt.Errorf("%s: %w", w.at, unix.ENOENT)
	}
	return w.place(names[len(names)-1], names[:len(names)-1]), nil
}

// trusts reports whether directories and links of the user are safe to follow.
func (t *tree) trusts(uid uint32) bool { return uid == 0 || int64(uid) == t.self }
