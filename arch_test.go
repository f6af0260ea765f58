package machineadm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/machineadm/machineadm"

// pkg is a package in the output of `go list`.
type pkg struct {
	ImportPath    string
	Standard      bool
	Imports, Deps []string
	Module        *struct{ Path string }
}

// folder returns the package's folder in this module, "." for the root.
func (p pkg) folder() string {
	if p.ImportPath == module {
		return "."
	}
	return strings.TrimPrefix(p.ImportPath, module+"/")
}

func (p pkg) ours() bool { return !p.Standard && p.Module != nil && p.Module.Path == module }

// TestLayers checks the tree against the dependency rule, for each operating system that a program is built for.
func TestLayers(t *testing.T) {
	readSources(t)
	alive := map[string]bool{}
	for _, goos := range []string{"linux", "windows"} {
		packages := list(t, goos)
		for _, complaint := range violations(layers(), packages) {
			t.Errorf("%s: %s", goos, complaint)
		}
		markAlive(layers(), packages, alive)
	}
	for _, l := range layers() {
		if !alive[l.folder] {
			t.Errorf("the row %s has no packages: remove it", l.folder)
		}
	}
}

// TestLayersHaveReasons expects that each row of the table has a decision and a section in ARCHITECTURE.md.
func TestLayersHaveReasons(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layers() {
		if found, _ := filepath.Glob(filepath.Join("docs", "adr", l.adr+"-*.md")); len(found) != 1 || l.adr == "" {
			t.Errorf("the row %s names the decision %q, and docs/adr has %d of that number", l.folder, l.adr, len(found))
		}
		if name := strings.TrimSuffix(l.folder, "/*"); l.folder != "." && !strings.Contains(string(text), "`"+name+"/") {
			t.Errorf("ARCHITECTURE.md does not name `%s/`", name)
		}
	}
}

// readSources opens every Go file and go.mod, so that the test cache depends on them: it does not notice which files
// `go list` reads.
func readSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path == "demo": // a running demo changes it
			return fs.SkipDir
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || isModule(path)):
			return fs.SkipDir
		case d.IsDir() || (!strings.HasSuffix(path, ".go") && path != "go.mod"):
			return nil
		}
		_, err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isModule reports whether the folder is a module of its own, which is no part of this one.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func list(t *testing.T, goos string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Standard,Imports,Deps,Module", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func markAlive(table []layer, packages []pkg, alive map[string]bool) {
	for _, p := range packages {
		if !p.ours() {
			continue
		}
		if l, _, ok := classify(table, p.folder()); ok {
			alive[l.folder] = true
		}
	}
}

// violations returns a message for each import that the table does not allow, and for each package without a row.
func violations(table []layer, packages []pkg) []string {
	modules := map[string]string{}
	standard := map[string]bool{}
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
		if p.Module != nil {
			modules[p.ImportPath] = p.Module.Path
		}
	}
	var complaints []string
	for _, p := range packages {
		if !p.ours() {
			continue
		}
		l, room, ok := classify(table, p.folder())
		if !ok {
			complaints = append(complaints, fmt.Sprintf("%s has no row: move it to a layer, or add a row and an ADR",
				p.folder()))
			continue
		}
		if forTests(p.folder()) {
			l.bars = nil
		}
		for _, imported := range p.Imports {
			why := l.refuses(imported, room, standard[imported], modules[imported])
			if helper := (pkg{ImportPath: imported}).folder(); why == "" && modules[imported] == module && forTests(helper) &&
				!forTests(p.folder()) {
				why = "it is only for tests"
			}
			if why != "" {
				complaints = append(complaints, fmt.Sprintf("%s imports %s: %s (ADR %s)", p.folder(), imported, why, l.adr))
			}
		}
		complaints = append(complaints, l.linked(p)...)
	}
	return complaints
}

// forTests reports whether a package of this module is for tests, such as plugintest. Only tests and such packages
// import it, and it may do I/O.
func forTests(folder string) bool { return strings.HasSuffix(folder, "test") || within(folder, "test") }

// refuses returns why a package of the row may not import another, or "" if it may. Packages in one room may import
// each other.
func (l layer) refuses(imported, room string, standard bool, from string) string {
	folder := pkg{ImportPath: imported}.folder()
	switch {
	case standard && slices.Contains(l.bars, imported):
		return "the layer must not import this package"
	case standard || imported == "C":
		return ""
	case from == module && (within(folder, room) || slices.ContainsFunc(l.imports, func(a string) bool {
		return within(folder, a)
	})):
		return ""
	case from == module:
		return "the layer imports only " + strings.Join(append([]string{"itself"}, l.imports...), ", ")
	case slices.Contains(l.modules, "*") || slices.Contains(l.modules, from):
		return ""
	default:
		return "the layer does not use the module " + from
	}
}

func (l layer) linked(p pkg) []string {
	var complaints []string
	for _, prefix := range l.mustNotLink {
		i := slices.IndexFunc(p.Deps, func(d string) bool { return strings.HasPrefix(d, prefix) })
		if i >= 0 {
			complaints = append(complaints, fmt.Sprintf("%s links %s, directly or through others; it must not link %s (ADR %s)",
				p.folder(), p.Deps[i], prefix, l.adr))
		}
	}
	return complaints
}

// classify returns the row with the longest folder that contains the given one, and the room: the row's folder, with a
// name in place of each *.
func classify(table []layer, folder string) (row layer, room string, ok bool) {
	for _, l := range table {
		r, matches := roomOf(l.folder, folder)
		if matches && (!ok || better(l.folder, row.folder)) {
			row, room, ok = l, r, true
		}
	}
	return row, room, ok
}

// better prefers more elements, and a name to a star.
func better(a, b string) bool {
	if n, m := strings.Count(a, "/"), strings.Count(b, "/"); n != m {
		return n > m
	}
	return !strings.Contains(a, "*") && strings.Contains(b, "*")
}

func roomOf(pattern, folder string) (string, bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(folder, "/")
	if len(have) < len(want) || (pattern == "." && folder != ".") {
		return "", false
	}
	for i, element := range want {
		if element != "*" && element != have[i] {
			return "", false
		}
	}
	return strings.Join(have[:len(want)], "/"), true
}

func within(folder, parent string) bool {
	return folder == parent || strings.HasPrefix(folder, parent+"/")
}
