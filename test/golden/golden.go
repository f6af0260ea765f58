// Package golden compares output with files, byte for byte.
//
// UPDATE=1 rewrites the files; with CI=true that is an error, so that no run of a build server can pass by rewriting
// what it should compare. A run of some tests alone (go test -run, -skip) rewrites what those ask for and removes
// nothing.
package golden

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/canary"
)

// Dir is a directory of goldens; it knows which of them a test asked for.
type Dir struct {
	path      string
	requested map[string]bool
}

// Open returns the directory of goldens. When the test ends, a file in it that nothing was compared with fails the
// test, or is removed by UPDATE=1.
func Open(t *testing.T, path string) *Dir {
	t.Helper()
	d := &Dir{path: path, requested: map[string]bool{}}
	t.Cleanup(func() {
		if !t.Failed() && !filtered() {
			d.checkStale(t)
		}
	})
	return d
}

// filtered reports whether only some tests run, so that a file of another test is not reported as stale.
func filtered() bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}

// updating reports whether goldens are rewritten.
func updating(t *testing.T) bool {
	t.Helper()
	if os.Getenv("UPDATE") == "" {
		return false
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("goldens are not rewritten in CI")
	}
	return true
}

// Compare fails the test if the golden of that name does not hold exactly the given bytes.
func (d *Dir) Compare(t *testing.T, name string, got []byte) {
	t.Helper()
	d.requested[name] = true
	path := filepath.Join(d.path, name)
	if updating(t) {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v; write it with UPDATE=1", err)
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, redact(t, diff))
	}
}

// redact takes the planted secrets away: a golden may hold them, what a test prints may not.
func redact(t *testing.T, text string) string {
	t.Helper()
	s, err := canary.For()
	if err != nil {
		t.Fatal(err)
	}
	return s.Redact(text)
}

// File fails the test if the file does not hold exactly the given bytes. It is for generated files among
// files that are not.
func File(t *testing.T, path string, got []byte) {
	t.Helper()
	d := &Dir{path: filepath.Dir(path), requested: map[string]bool{}}
	d.Compare(t, filepath.Base(path), got)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (d *Dir) checkStale(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(d.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(d.path, path)
		if err != nil || d.requested[filepath.ToSlash(name)] {
			return err
		}
		if updating(t) {
			return os.Remove(path)
		}
		t.Errorf("%s is stale: no test compares with it", path)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
