//go:build unix

package record_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
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
