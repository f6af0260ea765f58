//go:build unix

package record_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/machineadm/machineadm/adapters/record"
)

// TestFilesBecomePrivateBeforeTheyGrow has an image with a world-readable log and journal, and a process that has them
// open.
func TestFilesBecomePrivateBeforeTheyGrow(t *testing.T) {
	d := record.Linux(t.TempDir())
	log := filepath.Join(d.State, "machineadm.log")
	journal := filepath.Join(d.State, record.JournalFile)
	if err := os.MkdirAll(d.State, 0o755); err != nil {
		t.Fatal(err)
	}
	open := map[string]*os.File{}
	for _, path := range []string{log, journal} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		open[path] = f
	}
	l := record.NewLog(log)
	if _, err := l.Write([]byte("a command printed this\n")); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := record.NewJournal(d).Append(t.Context(), entry("1")); err != nil {
		t.Fatal(err)
	}
	for path, f := range open {
		if seen, err := io.ReadAll(f); err != nil || len(seen) > 0 {
			t.Errorf("%s: %d bytes reach a descriptor that was opened before, error %v", path, len(seen), err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
			t.Errorf("%s: %v, error %v", path, info, err)
		}
	}
	if info, err := os.Stat(d.State); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, error %v", info, err)
	}
	if text, err := os.ReadFile(log); err != nil || !strings.HasPrefix(string(text), "a command") {
		t.Errorf("the log: %q, error %v", text, err)
	}
}

// TestLogIsNotWrittenElsewhere puts at the path of the log what a member of the group of syslog can create in /var/log.
func TestLogIsNotWrittenElsewhere(t *testing.T) {
	cases := map[string]struct {
		reason string
		place  func(log, other string) error
	}{
		"link": {"the agent would append to the other file", func(log, other string) error {
			return os.Symlink(other, log)
		}},
		"dangling link": {"the agent would create the other file", func(log, other string) error {
			return os.Symlink(other+"-new", log)
		}},
		"hard link": {"it is the other file", func(log, other string) error { return os.Link(other, log) }},
		"file of another user": {"its owner could read the log", func(log, _ string) error {
			return errors.Join(os.WriteFile(log, []byte("theirs\n"), 0o600), os.Chown(log, 7, 7))
		}},
		"pipe": {"its reader would get the output", func(log, _ string) error { return syscall.Mkfifo(log, 0o600) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			log, other := filepath.Join(dir, "machineadm.log"), filepath.Join(dir, "other")
			if err := errors.Join(os.WriteFile(other, []byte("other\n"), 0o600), c.place(log, other)); err != nil {
				t.Fatal(err)
			}
			// A reader makes the pipe writable, and a pipe without a reader would wait.
			reader, err := os.OpenFile(log, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err == nil {
				t.Cleanup(func() { _ = reader.Close() })
			}
			l := record.NewLog(log)
			if _, err := l.Write([]byte("output\n")); err != nil {
				t.Fatal(err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(log)
			if err != nil || info.Mode() != 0o600 {
				t.Fatalf("%s: the log is %v, error %v", c.reason, info, err)
			}
			if owner, is := info.Sys().(*syscall.Stat_t); !is || int(owner.Uid) != os.Geteuid() {
				t.Errorf("%s: the log belongs to %+v", c.reason, owner)
			}
			for path, want := range map[string]string{log: "output\n", other: "other\n"} {
				if text, err := os.ReadFile(path); err != nil || string(text) != want {
					t.Errorf("%s: %s has %q, error %v", c.reason, path, text, err)
				}
			}
			if _, err := os.Lstat(other + "-new"); err == nil {
				t.Errorf("%s", c.reason)
			}
		})
	}
}
