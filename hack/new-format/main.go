// Command new-format scaffolds an output format that works from its first minute: a renderer that leaves everything to
// the bootstrap program, with its test, its fuzz target, its page and its floor, and its line in the list of formats.
//
//	go run ./hack/new-format NAME
package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed templates/*.tmpl
var templates embed.FS

// catalog is the one list of formats.
const catalog = "cmd/internal/catalog/formats/formats.go"

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// names are how a format is called in the places that know it.
type names struct {
	// Name is the format's: kick-start.
	Name string
	// Package is that of Go: kickstart.
	Package string
}

// files returns where each template goes.
func (n names) files() map[string]string {
	folder := filepath.Join("adapters", "render", n.Package)
	return map[string]string{
		"renderer.go.tmpl":         filepath.Join(folder, n.Package+".go"),
		"conformance_test.go.tmpl": filepath.Join(folder, "conformance_test.go"),
		"fuzz_test.go.tmpl":        filepath.Join(folder, "fuzz_test.go"),
		"page.md.tmpl":             filepath.Join("docs", "formats", n.Name+".md"),
		"floor.txt.tmpl":           filepath.Join("cmd", "internal", "conformance", "testdata", "floors", n.Name+".txt"),
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: new-format NAME")
		os.Exit(2)
	}
	created, err := scaffold(".", os.Args[1])
	for _, path := range created {
		fmt.Println(path)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "new-format:", err)
		os.Exit(1)
	}
}

// scaffold writes the files below root, and returns their paths. It never writes over a file but the list.
func scaffold(root, name string) ([]string, error) {
	if !namePattern.MatchString(name) {
		return nil, fmt.Errorf("%q is not the name of a format: use lower-case letters, digits and single dashes, "+
			"as in kick-start",
			name)
	}
	n := names{Name: name, Package: strings.ReplaceAll(name, "-", "")}
	set, err := template.ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return nil, err
	}
	list, err := withLine(root, n)
	if err != nil {
		return nil, err
	}
	var created []string
	for source, path := range n.files() {
		if err := write(filepath.Join(root, path), set.Lookup(source), n); err != nil {
			return created, err
		}
		created = append(created, path)
	}
	return append(created, catalog), os.WriteFile(filepath.Join(root, catalog), list, 0o644)
}

func write(path string, t *template.Template, n names) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", path)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, n); err != nil {
		return err
	}
	text := b.Bytes()
	if strings.HasSuffix(path, ".go") {
		formatted, err := format.Source(text)
		if err != nil {
			return fmt.Errorf("format %s: %w", path, err)
		}
		text = formatted
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// withLine returns the list of formats with the line of the new one, the last that machines boot, and its import in the
// order of the others.
func withLine(root string, n names) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, catalog))
	if err != nil {
		return nil, err
	}
	path := fmt.Sprintf("\t%q", "github.com/machineadm/machineadm/adapters/render/"+n.Package)
	if bytes.Contains(text, []byte(path+"\n")) {
		return nil, fmt.Errorf("%s has the format already", catalog)
	}
	var out []string
	listed, imported := false, false
	for line := range strings.SplitSeq(string(text), "\n") {
		isImport := strings.HasPrefix(line, "\t\"")
		if !imported && isImport && line > path {
			out, imported = append(out, path), true
		}
		if !listed && line == "\t}" {
			out, listed = append(out, "\t\t"+n.Package+".New(),"), true
		}
		out = append(out, line)
	}
	if !listed || !imported {
		return nil, fmt.Errorf("%s is no list that this program knows", catalog)
	}
	return []byte(strings.Join(out, "\n")), nil
}
