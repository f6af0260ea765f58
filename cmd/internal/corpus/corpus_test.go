package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/cmd/internal/corpus/specs"
	"github.com/machineadm/machineadm/test/golden"
)

// TestSample converts one spec for each idiom, and compares what both providers render. The golden contains the
// results, the reasons for differences, and the places without a reason.
func TestSample(t *testing.T) {
	c, err := newComparer()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/sample/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var got strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := specs.InFile(t.Context(), filepath.Base(file), string(text))
		for _, s := range found.Skipped {
			fmt.Fprintf(&got, "%s\n  not read: %s\n", s.Path, s.Reason)
		}
		for _, s := range found.Specs {
			fmt.Fprintf(&got, "%s\n", s.Title())
			describe(&got, c.compare(t.Context(), s))
		}
	}
	golden.File(t, "testdata/sample/want.txt", []byte(got.String()))
}

func describe(b *strings.Builder, o outcome) {
	fmt.Fprintf(b, "  %s\n", o.verdict())
	for _, d := range o.Explained {
		fmt.Fprintf(b, "  equal: %s: %s\n", d.Place, d.Reason)
	}
	for _, d := range o.Differences {
		fmt.Fprintf(b, "  different: %s: %q, %q\n", d.Place, d.Theirs, d.Ours)
	}
	for _, f := range o.reasons() {
		fmt.Fprintf(b, "  %s: %s\n", f[0], f[1])
	}
	if o.Refused != "" {
		fmt.Fprintf(b, "  %s\n", o.Refused)
	}
}
