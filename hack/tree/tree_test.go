package tree_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/hack/tree"
)

// TestFiles expects the files that a commit would contain: not those that are ignored or removed.
func TestFiles(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...).
			CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet")
	for name, text := range map[string]string{
		".gitignore": "/demo/\n", "a/tracked.go": "", "a/new.go": "", "removed.go": "", "demo/ignored.go": "",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "a/tracked.go", "removed.go")
	if err := os.Remove(filepath.Join(root, "removed.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a/new.go", filepath.Join(root, "link.go")); err != nil {
		t.Fatal(err)
	}
	files, err := tree.Files(t.Context(), root)
	got := strings.ReplaceAll(strings.Join(files, " "), root+"/", "")
	if want := ".gitignore a/new.go a/tracked.go"; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := tree.Files(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "that git tracks") {
		t.Errorf("without a repository: %v", err)
	}
}
