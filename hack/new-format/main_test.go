//go:build !unit

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/hack/tree"
	"github.com/machineadm/machineadm/test/nightly"
)

// name is an unlikely name of a format, so that it is new in every tree.
const name = "scaffold-probe"

// copied copies what a clone of the tree would have and the scaffolding and its tests need, with what is not committed
// yet.
func copied(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	files, err := tree.Files(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		path := strings.TrimPrefix(file, "../../")
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), content, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// goIn runs the go command in the copy, which may write goldens even where a build server runs this test.
func goIn(t *testing.T, root string, update bool, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CI=") || strings.HasPrefix(v, "UPDATE=")
	})
	if update {
		cmd.Env = append(cmd.Env, "UPDATE=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%.8000s", args, err, out)
	}
}

// snapshot returns the bytes of each file.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, root+"/")] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestScaffoldedFormatWorks scaffolds a format in a copy of the tree, writes its goldens and runs its tests; in a
// nightly run also the tests of the list of formats, which write the table. No other file of the tree changes.
func TestScaffoldedFormatWorks(t *testing.T) {
	root := copied(t)
	before := snapshot(t, root)
	created, err := scaffold(root, name)
	if err != nil {
		t.Fatal(err)
	}
	// Without the names of directories, copies of the tree share the build cache.
	probe := []string{"test", "-trimpath", "./adapters/render/scaffoldprobe"}
	goIn(t, root, true, probe...)
	goIn(t, root, false, probe...)
	want := []string{"cmd/internal/catalog/formats/formats.go"}
	if nightly.Enabled() {
		goIn(t, root, true, "test", "./cmd/internal/conformance", "./cmd/internal/hostile")
		goIn(t, root, true, "test", "-run", "TestScenarios/worker$", "./cmd/machineadmctl")
		goIn(t, root, false, "test", "./cmd/internal/conformance")
		want = append(want, "docs/formats/README.md")
	}
	goIn(t, root, false, "vet", "-trimpath", "./adapters/render/scaffoldprobe", "./cmd/internal/catalog/...")
	var changed []string
	for path, content := range before {
		if after, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(after) != content {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("files that change (-want +got):\n%s", diff)
	}
	for path := range snapshot(t, root) {
		if _, old := before[path]; old || slices.Contains(created, path) {
			continue
		}
		if golden := strings.Contains(path, name+".") || strings.Contains(path, "/want/"+name+"/"); !golden {
			t.Errorf("%s is new, and no golden of the format", path)
		}
	}
	again(t, root)
}

// again makes the same format once more: nothing may be written over.
func again(t *testing.T, root string) {
	t.Helper()
	before := snapshot(t, root)
	if _, err := scaffold(root, name); err == nil {
		t.Error("a format that is there is made again")
	}
	if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
		t.Errorf("something was written over:\n%.2000s", diff)
	}
}

func TestInvalidNames(t *testing.T) {
	for _, bad := range []string{"", "Kick", "kick_start", "-kick", "kick-", "kick--start", "../x", "1st"} {
		if created, err := scaffold(t.TempDir(), bad); err == nil || len(created) > 0 {
			t.Errorf("%q is taken for a name: %v", bad, created)
		}
	}
}
