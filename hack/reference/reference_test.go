package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

const root = "../.."

// TestReferenceIsCurrent compares the pages of docs/reference with the CRDs and the schema.
func TestReferenceIsCurrent(t *testing.T) {
	pages, _, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		golden.File(t, filepath.Join(root, folder, name), text)
	}
	files, err := os.ReadDir(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, known := pages[f.Name()]; !known && !strings.Contains(others(), "("+f.Name()+")") {
			t.Errorf("%s is neither generated nor in the index; remove it", f.Name())
		}
	}
}

// TestEveryFieldHasAMeaning checks that each field of each kind has a description.
func TestEveryFieldHasAMeaning(t *testing.T) {
	_, undocumented, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range undocumented {
		t.Errorf("%s has no description; add a comment to its Go field, and run make generate", field)
	}
}

func TestUndocumentedFieldsAreFound(t *testing.T) {
	s := &schema{Type: "object", Properties: properties{
		{"a", &schema{Type: "string", Description: "a is documented."}},
		{"b", &schema{Type: "array", Description: "b is a list.", Items: &schema{Properties: properties{{"c", &schema{}}}}}},
	}}
	var w writer
	w.table("Kind", s, "")
	if len(w.undocumented) != 1 || w.undocumented[0] != "Kind b[].c" {
		t.Errorf("found %q", w.undocumented)
	}
}
