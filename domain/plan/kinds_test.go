package plan_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/plan"
)

// parsed returns the files of a folder.
func parsed(t *testing.T, folder string) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v", folder, err)
	}
	files := make([]*ast.File, len(paths))
	for i, p := range paths {
		if files[i], err = parser.ParseFile(token.NewFileSet(), p, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// constants maps the names of the folder's constants of type document.Kind, as pkg.Name, to their values.
func constants(t *testing.T, pkg string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, f := range parsed(t, "../"+pkg) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typed, ok := spec.Type.(*ast.SelectorExpr)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if !ok || !literal || typed.Sel.Name != "Kind" {
				return true
			}
			text, err := strconv.Unquote(value.Value)
			if err != nil {
				t.Fatal(err)
			}
			found[pkg+"."+spec.Names[0].Name] = text
			return true
		})
	}
	return found
}

// cases returns the names in the cases of the table, which is the switch of the function lookup.
func cases(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, f := range parsed(t, ".") {
		for _, d := range f.Decls {
			table, ok := d.(*ast.FuncDecl)
			if !ok || table.Name.Name != "lookup" {
				continue
			}
			ast.Inspect(table, func(n ast.Node) bool {
				clause, ok := n.(*ast.CaseClause)
				if !ok {
					return true
				}
				for _, e := range clause.List {
					if s, ok := e.(*ast.SelectorExpr); ok {
						names = append(names, s.X.(*ast.Ident).Name+"."+s.Sel.Name)
					}
				}
				return false
			})
		}
	}
	return names
}

// TestKindsAreTheTable holds the list, the table and the constants of the domain together: none has a kind that another lacks.
func TestKindsAreTheTable(t *testing.T) {
	declared := constants(t, "machine")
	for name, value := range constants(t, "node") {
		declared[name] = value
	}
	var inTable, inDomain, listed []string
	for _, name := range cases(t) {
		inTable = append(inTable, declared[name])
	}
	for _, value := range declared {
		inDomain = append(inDomain, value)
	}
	for _, k := range plan.Kinds() {
		listed = append(listed, string(k))
	}
	slices.Sort(inTable)
	slices.Sort(inDomain)
	slices.Sort(listed)
	if diff := cmp.Diff(inTable, listed); diff != "" {
		t.Errorf("Kinds and the table differ (-table +Kinds):\n%s", diff)
	}
	if diff := cmp.Diff(inDomain, listed); diff != "" {
		t.Errorf("Kinds and the constants differ (-constants +Kinds):\n%s", diff)
	}
}
