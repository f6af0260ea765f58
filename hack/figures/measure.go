package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/machineadm/machineadm/hack/tree"
)

// measureTree measures all Go files of one module that a person wrote, except those that git ignores.
func measureTree(ctx context.Context, root string) (figures, error) {
	m := measurement{root: filepath.Clean(root), set: token.NewFileSet(), packages: map[string]bool{}}
	files, err := tree.Files(ctx, root)
	if err != nil {
		return figures{}, err
	}
	for _, path := range files {
		if !strings.HasSuffix(path, ".go") || m.foreign(filepath.Dir(path)) {
			continue
		}
		if err := m.file(path); err != nil {
			return figures{}, err
		}
	}
	m.addPackages()
	return m.figures, nil
}

// foreign reports whether a folder is none of this module's code.
func (m *measurement) foreign(folder string) bool {
	if folder == m.root {
		return false
	}
	name := filepath.Base(folder)
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		m.foreign(filepath.Dir(folder))
}

type measurement struct {
	figures
	root string
	set  *token.FileSet
	// packages records of each folder whether its package is documented.
	packages map[string]bool
}

func (m *measurement) file(path string) error {
	f, err := parser.ParseFile(m.set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return err
	}
	at := m.set.Position(f.Package)
	m.files = append(m.files, sized{name: "the file", where: at, lines: m.set.Position(f.FileEnd).Line})
	if strings.HasSuffix(path, "_test.go") || m.forTests(path) {
		return nil
	}
	dir := filepath.Dir(path)
	m.packages[dir] = m.packages[dir] || f.Doc != nil
	for _, decl := range f.Decls {
		m.declaration(decl)
	}
	return nil
}

// forTests reports whether the file is in a folder that only tests use, whose tables are long.
func (m *measurement) forTests(path string) bool {
	rest, err := filepath.Rel(m.root, path)
	return err == nil && strings.HasPrefix(filepath.ToSlash(rest), "test/")
}

func (m *measurement) addPackages() {
	for dir, documented := range m.packages {
		m.exported++
		if !documented {
			m.undocumented = append(m.undocumented, sized{name: "the package", where: token.Position{Filename: dir}})
		}
	}
}

func (m *measurement) declaration(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		begin, end := m.set.Position(d.Pos()), m.set.Position(d.End())
		m.functions = append(m.functions, sized{name: d.Name.Name, where: begin, lines: end.Line - begin.Line + 1})
		if d.Name.IsExported() && exportedReceiver(d) {
			m.name(d.Name, d.Doc != nil)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			m.spec(spec, d.Doc != nil)
		}
	}
}

// spec counts types, constants and variables. The comment of a group speaks for all of it.
func (m *measurement) spec(spec ast.Spec, group bool) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			m.name(s.Name, s.Doc != nil || group)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				m.name(n, s.Doc != nil || s.Comment != nil || group)
			}
		}
	}
}

func (m *measurement) name(n *ast.Ident, documented bool) {
	m.exported++
	if !documented {
		m.undocumented = append(m.undocumented, sized{name: n.Name, where: m.set.Position(n.Pos())})
	}
}

// exportedReceiver reports whether the function's receiver type, if it has one, is exported.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	name, ok := t.(*ast.Ident)
	return !ok || name.IsExported()
}
