//go:build linux && !unit

package programs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/test/programs"
)

// linker is a linker that writes its arguments, and counts its calls.
const linker = "#!/bin/sh\necho >>\"$0.calls\"\n[ \"$1\" != fails ] || exit 3\n[ $# -lt 3 ] || echo \"$*\" >\"$2\"\n"

// TestLinkCache runs the wrapper of the tools of the go command. It must write what the tool would have written.
func TestLinkCache(t *testing.T) {
	dir := t.TempDir()
	out, cache := filepath.Join(dir, "a.test"), filepath.Join(dir, "cache")
	for _, name := range []string{"link", "compile"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(linker), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(path, tool string, args ...string) error {
		wrapper := filepath.Join(programs.Root(), "hack", "link-cache.sh")
		cmd := exec.CommandContext(t.Context(), wrapper, append([]string{filepath.Join(dir, tool)}, args...)...)
		cmd.Env = append(os.Environ(), "MACHINEADM_CACHE="+cache, "TOOLEXEC_IMPORTPATH="+path)
		return cmd.Run()
	}
	for _, c := range []struct {
		reason, path, tool, id string
		calls                  int
	}{
		{"the package is linked for the first time", "a/b.test", "link", "1", 1},
		{"the input is the same", "a/b.test", "link", "1", 1},
		{"another package has the same input", "a/c.test", "link", "1", 2},
		{"the input is another one", "a/b.test", "link", "2", 3},
		{"only the last input of a package is kept", "a/b.test", "link", "1", 4},
		{"the compiler is another tool", "a/b.test", "compile", "1", 1},
		{"the compiler is not cached", "a/b.test", "compile", "1", 2},
		{"no package is named", "", "link", "1", 5},
	} {
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		if err := run(c.path, c.tool, "-o", out, "-buildid="+c.id); err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		text, err := os.ReadFile(out)
		if want := "-o " + out + " -buildid=" + c.id + "\n"; err != nil || string(text) != want {
			t.Errorf("%s: %v: got %q, want %q", c.reason, err, text, want)
		}
		if calls, _ := os.ReadFile(filepath.Join(dir, c.tool+".calls")); len(calls) != c.calls {
			t.Errorf("%s: the tool was called %d times, want %d", c.reason, len(calls), c.calls)
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(cache, "linked", "*")); len(kept) != 2 {
		t.Errorf("the cache contains %q, want a file for each of two packages", kept)
	}
	if err := run("a/d.test", "link", "fails", "-o", out, "-buildid=1"); err == nil {
		t.Error("a failure of the linker is not returned")
	}
	if err := run("", "link", "-V=full"); err != nil {
		t.Errorf("the version: %v", err)
	}
}
