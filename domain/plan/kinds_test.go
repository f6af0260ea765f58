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

// constants returns the values of the package's constants of type document.Kind, by name.
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
			found[spec.Names[0].Name] = text
			return true
		})
	}
	return found
}

// TestRegistryIsComplete finds kinds of the domain that the registry lacks, and kinds that it has twice.
func TestRegistryIsComplete(t *testing.T) {
	var want, got []string
	for _, pkg := range []string{"machine", "node", "indirect", "hardening"} {
		for _, kind := range constants(t, pkg) {
			want = append(want, kind)
		}
	}
	for _, k := range plan.Registry() {
		got = append(got, string(k.Zero.Kind()))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the registry and the domain's constants differ (-constants +registry):\n%s", diff)
	}
}
