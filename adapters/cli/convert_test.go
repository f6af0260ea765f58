package cli

import (
	"os"
	"strings"
	"testing"
)

// TestPlacesOfFiles finds the file and the line of lines of several files.
func TestPlacesOfFiles(t *testing.T) {
	directory := writeFiles(t, map[string]string{"a.yaml": "1\n2\n", "b.yaml": "---\n1\n2", "c.yaml": "1\n"})
	v := conversion{sources: sources{files: []string{directory}}}
	in, starts, err := v.read(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range strings.Split(strings.TrimSpace(string(in)), "\n") {
		file, line := v.place(i+1, starts)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The separator between two files follows the last line of the first one.
		if lines := append(strings.Split(strings.TrimSpace(string(data)), "\n"), "---"); lines[line-1] != text {
			t.Errorf("line %d, %q, is line %d of %s", i+1, text, line, file)
		}
	}
}
