package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuildsAreBounded builds small kustomizations that need much memory. They are finite, because a build continues
// after an error.
func TestBuildsAreBounded(t *testing.T) {
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	var aliases, copies strings.Builder
	aliases.WriteString(object + "a0: &a0 [x]\n")
	for i := range 6 {
		fmt.Fprintf(&aliases, "a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 10))
	}
	copies.WriteString("resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n")
	for i := range 20 {
		fmt.Fprintf(&copies, "    - {op: copy, from: /data, path: /data/x%d}\n", i)
	}
	for name, files := range map[string]map[string]string{
		"aliases": {"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": aliases.String()},
		"copies":  {"kustomization.yaml": copies.String(), "a.yaml": object + "data: {x: {y: z}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			directory := writeFiles(t, files)
			_, err := buildKustomization(t.Context(), directory, 1<<20)
			want := "build the kustomization " + directory + ": it needs more than 1 MiB of memory; use fewer aliases"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
	directory := writeFiles(t, map[string]string{"kustomization.yaml": "resources: [a.yaml]", "a.yaml": object})
	if built, err := buildKustomization(t.Context(), directory, maxBuildMemory); err != nil || string(built.data) == "" {
		t.Errorf("got %q, %v", built.data, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := waitBelow(ended, maxBuildMemory, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended, and the error is %v", err)
	}
}

// writeFiles returns a directory with the files.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}
