//go:build linux

package localuser_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/localuser"
)

// open returns a folder that everybody reaches, with the control file.
func open(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "control"), localuser.Control, 0o644)
	return dir
}

func put(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// TestReaderSees holds the reader to what a local user can do: it reads what is readable, also by a descriptor that was
// opened while the file was readable and empty, and nothing else.
func TestReaderSees(t *testing.T) {
	dir := open(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, at("held"), "", 0o644)
	put(t, at("private"), canary.Mark, 0o600)
	if err := os.Mkdir(at("closed"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, at("closed/inside"), canary.Mark, 0o644)
	put(t, at("public"), "a key: "+canary.Mark, 0o644)
	r := localuser.Start(t, []string{at("held"), at("private"), at("closed/inside"), at("missing")}, []string{dir})
	if err := os.Chmod(at("held"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, at("held"), canary.Mark, 0o600)
	if got, want := r.Seen(t), []string{at("held"), at("public")}; !slices.Equal(got, want) {
		t.Errorf("the reader saw %q, want %q", got, want)
	}
}
