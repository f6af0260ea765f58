//go:build linux

package linux_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/adapters/system/linux"
	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

func open(t *testing.T, dir string) *linux.Host {
	t.Helper()
	h, err := linux.New(linux.Options{Root: dir, Originals: &memory.Originals{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// carryOut captures and applies an operation, and checks that a second diff is empty.
func carryOut(t *testing.T, h *linux.Host, op action.Operation) journal.Original {
	t.Helper()
	o, err := h.Capture(t.Context(), op)
	if err != nil {
		t.Fatal(err)
	}
	change, err := h.Diff(t.Context(), op, o)
	if err != nil || change.IsEmpty() {
		t.Fatalf("%s: nothing to do, error %v", op.Summary(), err)
	}
	if err := h.Apply(t.Context(), op, o); err != nil {
		t.Fatal(err)
	}
	change, err = h.Diff(t.Context(), op, o)
	if err != nil || !change.IsEmpty() {
		t.Fatalf("%s: still %v, error %v", op.Summary(), change.Lines, err)
	}
	return o
}

func write(path, content string) action.WriteFile {
	return action.WriteFile{File: machine.File{Path: path, Content: document.Text(content)}}
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(data)
		}
		found[strings.TrimPrefix(path, dir)] = info.Mode().String() + " " + content
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFilesAreCreatedAndRemoved(t *testing.T) {
	appended := write("/etc/log", "two\n")
	appended.Append = true
	cases := map[string]struct {
		op   action.Operation
		want map[string]string
	}{
		"new file": {write("/opt/a/b/new", "\x00\r\n"), map[string]string{
			"/opt":         "drwxr-xr-x ",
			"/opt/a/b/new": "-rw-r--r-- \x00\r\n",
		}},
		"replaced": {write("/etc/log", "new"), map[string]string{"/etc/log": "-rw-r--r-- new"}},
		"appended": {appended, map[string]string{"/etc/log": "-rw------- one\ntwo\n"}},
		"over a link": {write("/etc/link", "file"), map[string]string{
			"/etc/link": "-rw-r--r-- file",
			"/etc/log":  "-rw------- one\n",
		}},
		"through a link": {write("/srv/x", "inside"), map[string]string{"/data/x": "-rw-r--r-- inside"}},
		"directory": {
			action.MakeDirectory{Path: "/var/d/e", Mode: 0o1777},
			map[string]string{"/var/d/e": "dtrwxrwxrwx "},
		},
		"link": {action.Link{Path: "/etc/l", Target: "/etc/log"}, map[string]string{"/etc/l": "Lrwxrwxrwx "}},
		"secret file": {
			action.WriteFile{File: machine.File{Path: "/etc/s", Content: document.Text("s"), Secret: true}},
			map[string]string{"/etc/s": "-rw------- s"},
		},
		"set-user-ID bit": {
			action.WriteFile{File: machine.File{Path: "/etc/u", Mode: 0o4755}},
			map[string]string{"/etc/u": "urwxr-xr-x "},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, d := range []string{"etc", "data"} {
				if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for path, target := range map[string]string{"etc/link": "log", "srv": "/data"} {
				if err := os.Symlink(target, filepath.Join(dir, path)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "etc/log"), []byte("one\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, dir)
			h := open(t, dir)
			o := carryOut(t, h, c.op)
			after := snapshot(t, dir)
			for path, want := range c.want {
				if after[path] != want {
					t.Errorf("%s is %q, want %q", path, after[path], want)
				}
			}
			if err := h.Revert(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("something is left: %s", diff)
			}
		})
	}
}

// TestFileAtThePathOfADirectory reverts two operations that were captured before either was applied: a file, and
// another file below its path that could not be created.
func TestFileAtThePathOfADirectory(t *testing.T) {
	for name, below := range map[string]string{"below": "/srv/motd/x", "far below": "/srv/motd/d/x"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			before := snapshot(t, dir)
			h := open(t, dir)
			var originals []journal.Original
			for _, path := range []string{"/srv/motd", below} {
				o, err := h.Capture(t.Context(), write(path, "x"))
				if err != nil {
					t.Fatal(err)
				}
				originals = append(originals, o)
			}
			if err := h.Apply(t.Context(), write("/srv/motd", "x"), originals[0]); err != nil {
				t.Fatal(err)
			}
			if err := h.Apply(t.Context(), write(below, "x"), originals[1]); err == nil {
				t.Fatal("a file was made below a file")
			}
			if err := h.Revert(t.Context(), originals[1]); err != nil {
				t.Error(err)
			}
			if got := snapshot(t, dir)["/srv/motd"]; got != "-rw-r--r-- x" {
				t.Errorf("the file that is not this one's: %q", got)
			}
			if err := h.Revert(t.Context(), originals[0]); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("something is left: %s", diff)
			}
		})
	}
}

func TestNothingLeavesTheTree(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for path, target := range map[string]string{"up": "../../../../../../../.." + outside, "abs": outside} {
		if err := os.Symlink(target, filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	h := open(t, dir)
	for _, path := range []string{"/up/x", "/abs/y"} {
		carryOut(t, h, write(path, "x"))
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("%d files lie outside", len(left))
	}
	if got := snapshot(t, dir)[outside+"/x"]; got != "-rw-r--r-- x" {
		t.Errorf("the file inside is %q", got)
	}
}

func TestDiffDescribesTheChange(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "motd"), []byte("a\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h := open(t, dir)
	change, err := h.Diff(t.Context(), write("/motd", "a\nc\n"), journal.Original{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"--- /motd", "+++ /motd", "@@ -1,2 +1,2 @@", " a", "-b", "+c"},
		change.Lines); diff != "" {
		t.Error(diff)
	}
	hidden := write("/motd", "c4n4ry")
	hidden.Secret = true
	change, err = h.Diff(t.Context(), hidden, journal.Original{})
	if err != nil || strings.Contains(strings.Join(change.Lines, ""), "c4n4ry") || change.IsEmpty() {
		t.Errorf("got %v, %v", change.Lines, err)
	}
}
