package machineadm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// locations returns the URLs in the string literals of a file whose hosts are names on the Internet.
func locations(path string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		text, _ := strconv.Unquote(literal.Value)
		u, err := url.Parse(text)
		if err != nil || !strings.HasPrefix(u.Scheme, "http") {
			return true
		}
		// No host has a name below .invalid (RFC 2606).
		if host := u.Hostname(); strings.Contains(host, ".") && !strings.HasSuffix(host, ".invalid") {
			found = append(found, text)
		}
		return true
	})
	return found, nil
}

// TestNoLocationIsBuiltIn expects that no program contains a location from which a machine could download: users name
// all of them (ADR 0072).
func TestNoLocationIsBuiltIn(t *testing.T) {
	const xmlNamespace = "http://schemas.microsoft.com/WMIConfig/2002/State"
	for _, layer := range []string{"domain", "app", "adapters", "cmd"} {
		err := filepath.WalkDir(layer, func(path string, d fs.DirEntry, err error) error {
			folder := filepath.ToSlash(filepath.Dir(path))
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				forTests(folder) || strings.Contains(path, "testdata") {
				return err
			}
			found, err := locations(path)
			for _, location := range found {
				if location != xmlNamespace {
					t.Errorf("%s contains the location %s", path, location)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
