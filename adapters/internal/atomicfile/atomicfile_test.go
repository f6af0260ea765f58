package atomicfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name, linked := filepath.Join(dir, "status.json"), filepath.Join(dir, "linked")
	if err := errors.Join(os.WriteFile(linked, []byte("other"), 0o644), os.Symlink(linked, name)); err != nil {
		t.Fatal(err)
	}
	before, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = before.Close() }()
	for _, want := range []string{"", "a", "a longer text"} {
		if err := atomicfile.Replace(name, []byte(want), 0o640); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		info, statErr := os.Lstat(name)
		if err := errors.Join(err, statErr); err != nil || string(got) != want || info.Mode() != 0o640 {
			t.Errorf("got %q and mode %v, want %q: %v", got, info.Mode(), want, err)
		}
	}
	if got, err := io.ReadAll(before); err != nil || string(got) != "other" {
		t.Errorf("a reader of the old file got %q: %v", got, err)
	}
	noTemporary(t, dir, 2)
}

// TestWrite verifies that others cannot read an incomplete file, and that a failure leaves the old file.
func TestWrite(t *testing.T) {
	path := t.TempDir()
	dir, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	// The remainder of an interrupted run has another mode.
	if err := errors.Join(dir.WriteFile("temporary", []byte("remainder"), 0o666), dir.WriteFile("a", []byte("old"),
		0o600)); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("disk full")
	for _, want := range []error{failure, nil} {
		err := atomicfile.Write(dir, "temporary", 0o644, func(f io.Writer) (string, error) {
			info, err := dir.Stat("temporary")
			if err != nil || info.Mode() != 0o600 || info.Size() != 0 {
				t.Errorf("got mode %v and %d bytes: %v", info.Mode(), info.Size(), err)
			}
			_, err = io.WriteString(f, "new")
			return "a", errors.Join(err, want)
		})
		if !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
		content := map[bool]string{true: "old", false: "new"}[want != nil]
		if got, err := dir.ReadFile("a"); err != nil || string(got) != content {
			t.Errorf("got %q, want %q: %v", got, content, err)
		}
		noTemporary(t, path, 1)
	}
}

// noTemporary fails if the directory has another number of entries.
func noTemporary(t *testing.T, dir string, want int) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != want {
		t.Errorf("got %v, want %d entries: %v", entries, want, err)
	}
}
