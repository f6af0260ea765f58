//go:build linux

package linux_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// The unprivileged attacker, the key that the configuration gives to the attacker, and the secret of root.
const (
	attacker = 1000
	ownKey   = "ssh-ed25519 AAAA admin"
	shadow   = "root:$6$salt$ROOTS-HASH:19000:0:99999:7:::\nu:*:19000:0:99999:7:::\n"
)

// victim returns a tree with the user u, whose home directory contains .ssh and .app.
func victim(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nu:x:1000:1000::/home/u:/bin/sh\n", "")
	put(t, dir, "/etc/group", "root:x:0:\nu:x:1000:\n", "")
	put(t, dir, "/etc/shadow", shadow, "")
	put(t, dir, "/etc/profile.d/README", "", "")
	put(t, dir, "/root/.ssh/authorized_keys", "ssh-ed25519 AAAA root\n", "")
	failed := errors.Join(os.Chmod(dir+"/etc/shadow", 0o600), os.Chmod(dir+"/root/.ssh/authorized_keys", 0o600),
		os.Chmod(filepath.Dir(dir), 0o755)) // The attacker needs access to the directory.
	for _, d := range []string{"/home/u", "/home/u/.ssh", "/home/u/.app"} {
		failed = errors.Join(failed, os.MkdirAll(dir+d, 0o755), os.Chown(dir+d, attacker, attacker))
	}
	if failed != nil {
		t.Fatal(failed)
	}
	return dir
}

// untouched fails the test if a file of root has changed, or if a file of the user contains a secret of root.
func untouched(t *testing.T, dir, when string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil // The attacker has moved it.
		}
		if err != nil {
			return err
		}
		s, exists := lstat(path)
		if !exists {
			return nil // The attacker has moved it.
		}
		name := strings.TrimPrefix(path, dir)
		content := []byte(nil)
		if d.Type().IsRegular() {
			content, _ = os.ReadFile(path)
		}
		if strings.HasPrefix(name, "/home/u/") {
			if s.Uid != 0 && strings.Contains(string(content), "ROOTS-HASH") {
				return fmt.Errorf("%s of the user %d holds a part of /etc/shadow", name, s.Uid)
			}
			return nil
		}
		if s.Uid != 0 && name != "/home/u" {
			return fmt.Errorf("%s belongs to the user %d, mode %o", name, s.Uid, s.Mode)
		}
		return known(name, string(content), s)
	})
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
}

func lstat(path string) (s unix.Stat_t, exists bool) {
	err := unix.Lstat(path, &s)
	return s, err == nil
}

// known returns an error for a file that is new or has changed.
func known(name, content string, s unix.Stat_t) error {
	want, private := map[string]string{
		"": "", "/etc": "", "/etc/passwd": content, "/etc/group": content, "/etc/shadow": shadow, "/etc/profile.d": "",
		"/etc/profile.d/README": "",
		"/home":                 "", "/home/u": "", "/root": "", "/root/.ssh": "",
		"/root/.ssh/authorized_keys": "ssh-ed25519 AAAA root\n",
	}[name]
	if !private {
		return fmt.Errorf("%s was not there", name)
	}
	if want != content || s.Mode&unix.S_IFMT == unix.S_IFDIR && s.Mode&0o777 != 0o755 {
		return fmt.Errorf("%s was changed: mode %o, %q", name, s.Mode, content)
	}
	return nil
}

func give(t *testing.T, path string) {
	t.Helper()
	if err := os.Lchown(path, attacker, attacker); err != nil {
		t.Fatal(err)
	}
}

// user returns the operation that gives the user a key.
func user(key string) action.EnsureUser {
	return action.EnsureUser{User: machine.User{Name: "u", SSHAuthorizedKeys: []string{key}}}
}

// TestKeysOfAnAttacker replaces authorized_keys and its directory with links to files of root.
func TestKeysOfAnAttacker(t *testing.T) {
	const keys = "/home/u/.ssh/authorized_keys"
	cases := map[string]struct {
		reason string
		set    func(t *testing.T, dir string) error
	}{
		"link to a secret": {"the lines that are kept would be those of /etc/shadow", func(_ *testing.T,
			dir string,
		) error {
			return os.Symlink("/etc/shadow", dir+keys)
		}},
		"relative link": {"", func(_ *testing.T, dir string) error {
			return os.Symlink("../../../etc/shadow", dir+keys)
		}},
		"link to the keys": {"the user's key would be root's", func(_ *testing.T, dir string) error {
			return os.Symlink("/root/.ssh/authorized_keys", dir+keys)
		}},
		"second name": {"a hard link is no link that O_NOFOLLOW finds", func(_ *testing.T, dir string) error {
			return os.Link(dir+"/etc/shadow", dir+keys)
		}},
		"FIFO": {"to open one blocks until a process writes", fifo(keys)},
		"socket": {"", func(_ *testing.T, dir string) error {
			return unix.Mknod(dir+keys, unix.S_IFSOCK|0o600, 0)
		}},
		"device": {"to open one may have effects", func(_ *testing.T, dir string) error {
			return unix.Mknod(dir+keys, unix.S_IFCHR|0o600, 1<<8|3)
		}},
		"directory":           {"", func(_ *testing.T, dir string) error { return os.Mkdir(dir+keys, 0o755) }},
		"link to /etc":        {"/etc would be the user's", swapped("/home/u/.ssh", "/etc")},
		"link to root's .ssh": {"", swapped("/home/u/.ssh", "/root/.ssh")},
		"FIFO for the directory": {"", func(t *testing.T, dir string) error {
			return errors.Join(os.Remove(dir+"/home/u/.ssh"), fifo("/home/u/.ssh")(t, dir))
		}},
		"file of root": {"the user has moved it there and could not read it", func(_ *testing.T, dir string) error {
			return os.WriteFile(dir+keys, []byte(shadow), 0o600)
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := victim(t)
			if err := c.set(t, dir); err != nil {
				t.Fatal(err)
			}
			h := open(t, dir)
			o, _ := h.Capture(t.Context(), user(ownKey))
			if err := h.Apply(t.Context(), user(ownKey), o); err == nil {
				t.Errorf("%s: no error", c.reason)
			}
			untouched(t, dir, c.reason)
			if shadow, err := os.Stat(dir + "/etc/shadow"); err != nil || shadow.Mode() != 0o600 {
				t.Errorf("%s: %v, %v", c.reason, shadow.Mode(), err)
			}
		})
	}
}

// fifo creates a FIFO and records whether a process opens it. It unblocks that process.
func fifo(path string) func(*testing.T, string) error {
	return func(t *testing.T, dir string) error {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		t.Cleanup(func() { cancel(); <-done })
		err := unix.Mkfifo(dir+path, 0o600)
		go func() {
			defer close(done)
			for ctx.Err() == nil {
				if fd, err := unix.Open(dir+path, unix.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
					t.Errorf("%s, a FIFO, was opened to read it", path)
					_ = unix.Close(fd)
					return
				}
			}
		}()
		return err
	}
}

// swapped replaces a directory with a link to the target.
func swapped(path, target string) func(*testing.T, string) error {
	return func(t *testing.T, dir string) error {
		t.Helper()
		err := errors.Join(os.Rename(dir+path, dir+path+".old"), os.Symlink(target, dir+path))
		give(t, dir+path)
		return err
	}
}

// TestPathsBelowAnAttackersDirectories applies every operation with a path to a link in a directory of a user.
func TestPathsBelowAnAttackersDirectories(t *testing.T) {
	of := machine.Owner{User: "u", Group: "u"}
	appended := action.WriteFile{File: machine.File{
		Path: "/home/u/.app/shadow", Content: document.Text("x"),
		Append: true, Owner: of,
	}}
	sum := sha256.Sum256([]byte("x"))
	cases := map[string]struct {
		reason, target string
		op             action.Operation
	}{
		"file": {
			"root's shell reads what is there", "/etc/profile.d",
			action.WriteFile{File: machine.File{Path: "/home/u/.app/env.sh", Content: document.Text("x"), Owner: of}},
		},
		"file of root": {
			"the link is the user's, whose ever the file is", "/etc/profile.d",
			write("/home/u/.app/env.sh", "x"),
		},
		"append":       {"", "/etc", appended},
		"directory":    {"", "/etc", action.MakeDirectory{Path: "/home/u/.app", Owner: of}},
		"directory in": {"", "/etc", action.MakeDirectory{Path: "/home/u/.app/d", Owner: of}},
		"link":         {"", "/etc/profile.d", action.Link{Path: "/home/u/.app/env.sh", Target: "/home/u/x"}},
		"download": {"", "/etc/profile.d", action.FetchFile{
			Path: "/home/u/.app/env.sh", URL: "file:///etc/shadow",
			SHA256: hex.EncodeToString(sum[:]),
		}},
		"relative link": {"", "../../etc/profile.d", write("/home/u/.app/a/env.sh", "x")},
		"swap":          {"", "/etc", action.EnableSwap{Swap: machine.Swap{Path: "/home/u/.app/swap", SizeMiB: 1}}},
		"mount":         {"", "/etc", action.MountFilesystem{Mount: machine.Mount{Source: "/dev/x", Path: "/home/u/.app/m"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := victim(t)
			if err := swapped("/home/u/.app", c.target)(t, dir); err != nil {
				t.Fatal(err)
			}
			h := open(t, dir)
			if _, err := h.Capture(t.Context(), c.op); err == nil {
				t.Errorf("%s: it is captured", c.reason)
			}
			if err := h.Apply(t.Context(), c.op, journal.Original{}); err == nil {
				t.Errorf("%s: no error", c.reason)
			}
			_ = os.Remove(dir + "/etc/fstab")
			untouched(t, dir, c.reason)
		})
	}
}

// TestResetUnderAttack exchanges the directory after the file was written. A reset must not remove files of root.
func TestResetUnderAttack(t *testing.T) {
	dir := victim(t)
	h := open(t, dir)
	op := write("/home/u/.app/README", "x")
	o := carryOut(t, h, op)
	if err := swapped("/home/u/.app", "/etc/profile.d")(t, dir); err != nil {
		t.Fatal(err)
	}
	if err := h.Revert(t.Context(), o); err == nil {
		t.Error("no error")
	}
	untouched(t, dir, "the reset")
}

// TestFilesOfUsersBelongToThem checks that directories created in a home directory belong to the user.
func TestFilesOfUsersBelongToThem(t *testing.T) {
	dir := victim(t)
	h := open(t, dir)
	op := write("/home/u/a/b/file", "x")
	op.Owner = machine.Owner{User: "u", Group: "u"}
	before := snapshot(t, dir)
	o := carryOut(t, h, op)
	for _, path := range []string{"/home/u/a", "/home/u/a/b", "/home/u/a/b/file"} {
		var s unix.Stat_t
		if err := unix.Lstat(dir+path, &s); err != nil || s.Uid != attacker || s.Gid != attacker {
			t.Errorf("%s belongs to %d:%d, error %v", path, s.Uid, s.Gid, err)
		}
	}
	if err := h.Revert(t.Context(), o); err != nil || len(snapshot(t, dir)) != len(before) {
		t.Errorf("something is left, error %v", err)
	}
}

// TestSudoersNamesDiffer adds sudoers rules for users whose names differ only in characters that a file name cannot
// contain. Neither file may replace the other.
func TestSudoersNamesDiffer(t *testing.T) {
	names := []string{"a.b", "a_b", "a-b", "a%2Eb", "a%b", "a~", "a%7E", "a..b", "a._b", "a_.b"}
	dir := victim(t)
	lines := ""
	for i, name := range names {
		lines += fmt.Sprintf("%s:x:%d:%d::/home/%s:/bin/sh\n", name, 2000+i, 2000+i, name)
	}
	put(t, dir, "/etc/passwd", lines, "")
	h := open(t, dir)
	for _, name := range names {
		put(t, dir, "/etc/shadow", name+":*:1:0:99999:7:::\n", "")
		if err := h.Apply(t.Context(), action.EnsureUser{User: machine.User{Name: name, Sudo: "ALL=(ALL) ALL"}},
			journal.Original{}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir + "/etc/sudoers.d")
	if err != nil || len(files) != len(names) {
		t.Errorf("%d users have %d files, error %v", len(names), len(files), err)
	}
	for _, f := range files {
		if strings.Contains(f.Name(), ".") || strings.HasSuffix(f.Name(), "~") {
			t.Errorf("sudo skips %s", f.Name())
		}
	}
}
