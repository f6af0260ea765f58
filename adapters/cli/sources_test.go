package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAllManifestsHaveOneLimit reads a directory and single files of which only all together exceed the limit.
func TestAllManifestsHaveOneLimit(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{"a.yaml", "b.yaml", "c.yaml"} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte("12345"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(directory, "a.yaml")
	for name, c := range map[string]struct {
		flag  string
		left  int64
		names []string
		want  string
	}{
		"a directory at the limit":    {"", 15, []string{directory}, ""},
		"a directory above it":        {"", 14, []string{directory}, "--filename " + directory + ": the manifests have"},
		"files at the limit":          {"", 10, []string{file, file}, ""},
		"files above it":              {"", 9, []string{file, file}, "--filename " + file + ": the manifests have more than"},
		"a directory and a file":      {"", 19, []string{directory, file}, "--filename " + file},
		"the standard input":          {"", 9, []string{file, "-"}, "--filename -: "},
		"a directory of another flag": {"from", 14, []string{directory}, "--from " + directory},
	} {
		t.Run(name, func(t *testing.T) {
			s := sources{flag: c.flag, left: c.left}
			var err error
			for _, name := range c.names {
				if _, err = s.readOne(t.Context(), name, strings.NewReader("12345")); err != nil {
					break
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	s := sources{files: []string{directory}}
	if all, err := s.read(t.Context(), nil); err != nil || len(all) != 3 {
		t.Errorf("got %d files, %v", len(all), err)
	}
}
