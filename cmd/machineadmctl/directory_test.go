package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinksOfDirectories validates directories with links. Findings quote lines of manifests, so that a link out of a
// directory, such as one of a pull request, must not be read.
func TestLinksOfDirectories(t *testing.T) {
	fromImage := strings.Replace(packageManifest, "{provision: Package}", "{}", 1)
	for name, c := range map[string]struct {
		// links are the targets of the links a.yaml of the directory and, if it is not empty, of the directory itself.
		link, directory string
		want            string
		code            int
	}{
		"a file outside":    {"../outside", "", "dir/a.yaml: the link cannot be followed within dir; name its target", 1},
		"an absolute path":  {"/etc/passwd", "", "dir/a.yaml: the link cannot be followed within dir; name its target", 1},
		"a device":          {"/dev/zero", "", "dir/a.yaml: the link cannot be followed within dir; name its target", 1},
		"itself":            {"a.yaml", "", "dir/a.yaml: the link cannot be followed within dir; name its target", 1},
		"a file within":     {"..data/b", "", "1 machine: 0 errors, 0 warnings\n", 0},
		"a linked folder":   {"..data/b", "linked", "1 machine: 0 errors, 0 warnings\n", 0},
		"through a parent":  {"../dir/..data/b", "", "dir/a.yaml: the link cannot be followed within dir", 1},
		"a missing target":  {"b", "", "dir/a.yaml: the link cannot be followed within dir; name its target", 1},
		"a linked folder 2": {"../outside", "linked", "linked/a.yaml: the link cannot be followed within linked", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for path, text := range map[string]string{"outside": "line of a file: outside", "dir/..data/b": fromImage} {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(c.link, "dir/a.yaml"); err != nil {
				t.Fatal(err)
			}
			directory := "dir"
			if c.directory != "" {
				directory = c.directory
				if err := os.Symlink("dir", directory); err != nil {
					t.Fatal(err)
				}
			}
			var out, errs strings.Builder
			code := watched([]string{"validate", "-f", directory, "--kubernetes-version", "v1.36.3"}, nil, &out, &errs)
			got := out.String() + errs.String()
			if code != c.code || !strings.Contains(got, c.want) || strings.Contains(got, "line of a file") {
				t.Errorf("code %d, %s, want %d and %q", code, got, c.code, c.want)
			}
		})
	}
}

// TestSocketsOfDirectories validates a directory with a socket. Opening a socket fails, and opening a pipe waits.
func TestSocketsOfDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	socket, err := net.Listen("unix", "a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	var out, errs strings.Builder
	code := watched([]string{"validate", "-f", "."}, nil, &out, &errs)
	if want := "a.yaml: not a regular file; remove it"; code != 1 || !strings.Contains(errs.String(), want) {
		t.Errorf("code %d, %s", code, errs.String())
	}
}
