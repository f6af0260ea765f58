//go:build linux

package linux_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// TestDirectoriesAreComplete checks new directories in a home directory as soon as they exist. None may belong to root,
// even if the agent is killed.
func TestDirectoriesAreComplete(t *testing.T) {
	dir := victim(t)
	h := open(t, dir)
	for i := range 200 {
		at := fmt.Sprintf("/home/u/%d", i)
		seen := make(chan unix.Stat_t)
		go func() {
			var s unix.Stat_t
			for unix.Lstat(dir+at, &s) != nil {
				continue
			}
			seen <- s
		}()
		carryOut(t, h, write(at+"/file", "x"))
		if s := <-seen; s.Uid != attacker || s.Mode&0o777 != 0o755 {
			t.Fatalf("%s was there with owner %d and mode %o", at, s.Uid, s.Mode)
		}
	}
}

// TestResetAfterAKill resets a machine on which the agent was killed. Incomplete files are removed, too.
func TestResetAfterAKill(t *testing.T) {
	const next = ".machineadm-new"
	cases := map[string]struct {
		reason, left string
		directory    bool
	}{
		"file":            {"it may hold a secret", "/home/u/a/b/.file" + next, false},
		"directory":       {"", "/home/u/a/.b" + next, true},
		"first directory": {"", "/home/u/.a" + next, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := victim(t)
			before := snapshot(t, dir)
			h := open(t, dir)
			op := write("/home/u/a/b/file", "x")
			o, err := h.Capture(t.Context(), op)
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, c.left, "x", "")
			if c.directory {
				err = errors.Join(os.Remove(dir+c.left), os.Mkdir(dir+c.left, 0o700))
			}
			if err := errors.Join(err, h.Revert(t.Context(), o)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("%s: something is left: %s", c.reason, diff)
			}
			put(t, dir, c.left, "x", "")
			if c.directory {
				err = errors.Join(os.Remove(dir+c.left), os.Mkdir(dir+c.left, 0o700))
			}
			if err := errors.Join(err, h.Apply(t.Context(), op, o)); err != nil || len(snapshot(t, dir)) != len(before)+3 {
				t.Errorf("applied again: %v, %v", err, snapshot(t, dir))
			}
		})
	}
}

// TestPublicDirectories uses directories in which all users, or the users of a group, can create entries.
func TestPublicDirectories(t *testing.T) {
	of := machine.Owner{User: "u", Group: "u"}
	mount := func(at string) action.Operation {
		return action.MountFilesystem{Mount: machine.Mount{Source: "tmpfs", Type: "tmpfs", Path: at}}
	}
	mine, link := func(dir string) error {
		return errors.Join(os.Mkdir(dir+"/d", 0o755), os.Chown(dir+"/d", attacker, attacker))
	}, func(dir string) error { return os.Symlink("/etc/profile.d", dir+"/d") }
	cases := map[string]struct {
		reason  string
		mode    os.FileMode
		set     func(dir string) error
		op      action.Operation
		refused bool
	}{
		"second name of root's link": {
			"without fs.protected_hardlinks a user links what root has linked",
			os.ModeSticky | 0o777, link, write("/tmp/d/env.sh", "x"), true,
		},
		"mount": {
			"the user exchanges the directory before mount(8)", os.ModeSticky | 0o777, mine,
			mount("/tmp/d"), true,
		},
		"mount below":      {"", os.ModeSticky | 0o777, mine, mount("/tmp/d/m"), true},
		"mount of a group": {"", 0o775, mine, mount("/tmp/d"), true},
		"swap of a group": {
			"dd(1) would follow a link", 0o775, mine,
			action.EnableSwap{Swap: machine.Swap{Path: "/tmp/swap", SizeMiB: 1}},
			true,
		},
		"directory of another user": {
			"what the user has put there would be root's", os.ModeSticky | 0o777, mine,
			action.MakeDirectory{Path: "/tmp/d"},
			true,
		},
		"directory of the owner": {"", os.ModeSticky | 0o777, mine, action.MakeDirectory{
			Path:  "/tmp/d",
			Owner: of,
		}, false},
		"new directory": {"", os.ModeSticky | 0o777, nil, action.MakeDirectory{Path: "/tmp/d"}, false},
		"file below":    {"", os.ModeSticky | 0o777, nil, write("/tmp/d/x", "x"), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := victim(t)
			err := errors.Join(os.Mkdir(dir+"/tmp", 0o755), os.Chmod(dir+"/tmp", c.mode))
			if c.set != nil {
				err = errors.Join(err, c.set(dir+"/tmp"))
			}
			h := linux.Running(open(t, dir))
			if err := errors.Join(err, os.RemoveAll(dir+"/etc/fstab")); err != nil {
				t.Fatal(err)
			}
			if err := h.Apply(t.Context(), c.op, journal.Original{}); (err != nil) != c.refused {
				t.Errorf("%s: error %v", c.reason, err)
			}
			_ = errors.Join(os.Remove(dir+"/etc/fstab"), os.RemoveAll(dir+"/tmp"))
			untouched(t, dir, c.reason)
		})
	}
}

// TestHomesAreNotCreatedInDirectoriesOfOtherUsers checks that useradd does not create a home directory in a directory
// of another user, who could replace it with a link.
func TestHomesAreNotCreatedInDirectoriesOfOtherUsers(t *testing.T) {
	dir := victim(t)
	h := open(t, dir)
	op := action.EnsureUser{User: machine.User{Name: "v", Home: "/home/u/.app/v"}}
	if err := h.Apply(t.Context(), op, journal.Original{}); err == nil || !strings.Contains(err.Error(),
		"make the home directory /home/u/.app/v") {
		t.Errorf("error %v", err)
	}
}

// TestListsOfUsersAreNotInherited writes private files of root to a directory whose default access control list grants
// its owner access to new files.
func TestListsOfUsersAreNotInherited(t *testing.T) {
	list := binary.LittleEndian.AppendUint32(nil, 2) // acl(5): a version, then entries of tag, permissions and ID.
	for _, e := range [][3]uint32{
		{1, 7, 1<<32 - 1},
		{2, 7, attacker},
		{4, 7, 1<<32 - 1},
		{16, 7, 1<<32 - 1},
		{32, 0, 1<<32 - 1},
	} {
		list = binary.LittleEndian.AppendUint16(list, uint16(e[0]))
		list = binary.LittleEndian.AppendUint16(list, uint16(e[1]))
		list = binary.LittleEndian.AppendUint32(list, e[2])
	}
	dir := victim(t)
	if err := unix.Setxattr(dir+"/home/u/.app", "system.posix_acl_default", list, 0); err != nil {
		t.Fatal(err)
	}
	h := open(t, dir)
	file := write("/home/u/.app/key", "x")
	file.Mode = 0o640
	carryOut(t, h, file)
	carryOut(t, h, action.MakeDirectory{Path: "/home/u/.app/d", Mode: 0o750})
	put(t, dir, "/home/u/.app/d/f", "x", "")
	for _, at := range []string{"key", "d/f"} {
		cat := exec.Command("cat", dir+"/home/u/.app/"+at)
		cat.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: attacker, Gid: attacker}}
		if out, err := cat.Output(); err == nil {
			t.Errorf("the user reads %q from %s", out, at)
		}
	}
}

// TestAppendsDiscloseNothing appends to a file that a user cannot read, with a mode or group that would grant access.
func TestAppendsDiscloseNothing(t *testing.T) {
	cases := map[string]struct {
		reason  string
		uid     int
		mode    machine.Mode
		owner   machine.Owner
		refused bool
	}{
		"mode":            {"a file of root's that the user has moved", 0, 0o644, machine.Owner{}, true},
		"group":           {"", 0, 0o640, machine.Owner{Group: "u"}, true},
		"neither":         {"root alone reads it afterwards", 0, machine.ModeUnset, machine.Owner{}, false},
		"the user's mode": {"what is the user's the user could show to all", attacker, 0o644, machine.Owner{}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := victim(t)
			put(t, dir, "/home/u/.app/f", "ROOTS-HASH", "")
			if err := errors.Join(os.Chmod(dir+"/home/u/.app/f", 0o600), os.Chown(dir+"/home/u/.app/f", c.uid,
				c.uid)); err != nil {
				t.Fatal(err)
			}
			h := open(t, dir)
			op := action.WriteFile{File: machine.File{
				Path: "/home/u/.app/f", Content: document.Text("x"), Append: true,
				Mode: c.mode, Owner: c.owner,
			}}
			o, err := h.Capture(t.Context(), op)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Apply(t.Context(), op, o); (err != nil) != c.refused {
				t.Errorf("%s: error %v", c.reason, err)
			}
			if s, err := os.Stat(dir + "/home/u/.app/f"); err != nil || c.refused && s.Mode() != 0o600 {
				t.Errorf("%s: %v, error %v", c.reason, s.Mode(), err)
			}
		})
	}
}

// TestAppendedFilesBelongToTheUser checks the same rule as in the programs of the renderers.
func TestAppendedFilesBelongToTheUser(t *testing.T) {
	cases := map[string]struct {
		path  string
		owner machine.Owner
		want  uint32
	}{
		"in a home":              {"/home/u/.profile", machine.Owner{}, attacker},
		"in a new directory":     {"/home/u/a/b/.profile", machine.Owner{}, attacker},
		"with an owner":          {"/home/u/.profile", machine.Owner{User: "root"}, 0},
		"in a directory of root": {"/etc/new", machine.Owner{}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := victim(t)
			h := open(t, dir)
			op := action.WriteFile{File: machine.File{Path: c.path, Content: document.Text("x"), Append: true, Owner: c.owner}}
			o := carryOut(t, h, op)
			var s unix.Stat_t
			if err := unix.Lstat(dir+c.path, &s); err != nil || s.Uid != c.want || s.Gid != c.want {
				t.Errorf("%s belongs to %d:%d, error %v", c.path, s.Uid, s.Gid, err)
			}
			if change, err := h.Diff(t.Context(), op, o); err != nil || !change.IsEmpty() {
				t.Errorf("it differs: %v, error %v", change.Lines, err)
			}
		})
	}
}
