package action_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/action"
)

// TestAllHasEachOperation reads the types off the source: those with the method that makes an operation.
func TestAllHasEachOperation(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "action.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared, listed []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "operation" && f.Recv != nil {
			declared = append(declared, f.Recv.List[0].Type.(*ast.Ident).Name)
		}
	}
	for _, op := range action.All() {
		listed = append(listed, strings.TrimPrefix(fmt.Sprintf("%T", op), "action."))
	}
	if diff := cmp.Diff(declared, listed); diff != "" || len(listed) == 0 {
		t.Errorf("-declared +listed:\n%s", diff)
	}
}
