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

// wrapped is a folder with tools that are started by the wrapper.
type wrapped struct {
	*testing.T
	dir, out string
}

func newWrapped(t *testing.T) wrapped {
	t.Helper()
	w := wrapped{T: t, dir: t.TempDir()}
	w.out = filepath.Join(w.dir, "a.test")
	for _, name := range []string{"link", "compile"} {
		w.script(name, linker)
	}
	return w
}

func (w wrapped) script(name, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o755); err != nil {
		w.Fatal(err)
	}
}

// run starts the wrapper with a tool for the package. Programs in the folder replace those of the system.
func (w wrapped) run(path, tool string, args ...string) error {
	wrapper := filepath.Join(programs.Root(), "hack", "link-cache.sh")
	cmd := exec.CommandContext(w.Context(), wrapper, append([]string{filepath.Join(w.dir, tool)}, args...)...)
	cmd.Env = append(os.Environ(), "MACHINEADM_CACHE="+filepath.Join(w.dir, "cache"), "TOOLEXEC_IMPORTPATH="+path,
		"PATH="+w.dir+":"+os.Getenv("PATH"))
	return cmd.Run()
}

// stored returns the files of the cache.
func (w wrapped) stored() []string {
	found, _ := filepath.Glob(filepath.Join(w.dir, "cache", "linked", "*"))
	return found
}

func (w wrapped) calls(tool string) int {
	calls, _ := os.ReadFile(filepath.Join(w.dir, tool+".calls"))
	return len(calls)
}

// TestLinkCacheIsInterrupted ends the wrapper while it copies the program, and expects that the next run links again
// and leaves no half of a file. A copy that fails must not make the build fail.
func TestLinkCacheIsInterrupted(t *testing.T) {
	copier, err := exec.LookPath("cp")
	if err != nil {
		t.Fatal(err)
	}
	const half = "#!/bin/sh\ncase \"$*\" in *' -p '*)\n  for to; do :; done\n  echo half >\"$to\"\n  "
	for end, fails := range map[string]bool{"kill -9 $PPID": true, "exit 1": false} {
		w := newWrapped(t)
		w.script("cp", half+end+"\n  ;;\nesac\nexec "+copier+" \"$@\"\n")
		if err := w.run("a/b.test", "link", "-o", w.out, "-buildid=1"); (err != nil) != fails {
			t.Fatalf("%s: %v", end, err)
		}
		if err := os.Remove(filepath.Join(w.dir, "cp")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.run("a/b.test", "link", "-o", w.out, "-buildid=1"); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(w.out)
			if want := "-o " + w.out + " -buildid=1\n"; err != nil || string(text) != want {
				t.Errorf("%s: %v: got %q, want %q", end, err, text, want)
			}
		}
		if got := w.calls("link"); got != 2 {
			t.Errorf("%s: the tool was called %d times, want 2", end, got)
		}
		if stored := w.stored(); len(stored) != 1 {
			t.Errorf("%s: the cache contains %q, want one file", end, stored)
		}
	}
}

// TestLinkCache runs the wrapper of the tools of the go command. It must write what the tool would have written.
func TestLinkCache(t *testing.T) {
	w := newWrapped(t)
	out := w.out
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
		if err := w.run(c.path, c.tool, "-o", out, "-buildid="+c.id); err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		text, err := os.ReadFile(out)
		if want := "-o " + out + " -buildid=" + c.id + "\n"; err != nil || string(text) != want {
			t.Errorf("%s: %v: got %q, want %q", c.reason, err, text, want)
		}
		if calls := w.calls(c.tool); calls != c.calls {
			t.Errorf("%s: the tool was called %d times, want %d", c.reason, calls, c.calls)
		}
	}
	if kept := w.stored(); len(kept) != 2 {
		t.Errorf("the cache contains %q, want a file for each of two packages", kept)
	}
	w.Setenv("MACHINEADM_LINK_VARIANT", "release")
	for _, calls := range []int{6, 6} {
		if err := w.run("a/b.test", "link", "-o", out, "-buildid=3"); err != nil {
			t.Fatal(err)
		}
		if got := w.calls("link"); got != calls {
			t.Errorf("a variant: the tool was called %d times, want %d", got, calls)
		}
	}
	if kept := w.stored(); len(kept) != 3 {
		t.Errorf("the cache contains %q, want a file for each of two packages, and for a variant", kept)
	}
	if err := w.run("a/d.test", "link", "fails", "-o", out, "-buildid=1"); err == nil {
		t.Error("a failure of the linker is not returned")
	}
	if err := w.run("", "link", "-V=full"); err != nil {
		t.Errorf("the version: %v", err)
	}
}
