package componentconfig_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// download returns the directories of modules, by module@version.
func download(t *testing.T, modules []string) map[string]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"mod", "download", "-json"}, modules...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("download the modules: %v\n%s", err, out)
	}
	dirs := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var m struct{ Path, Version, Dir string }
		switch err := d.Decode(&m); {
		case errors.Is(err, io.EOF):
			return dirs
		case err != nil:
			t.Fatal(err)
		}
		dirs[m.Path+"@"+m.Version] = m.Dir
	}
}

// source resolves the types of one version of Kubernetes.
type source struct {
	t *testing.T
	// dirs are the directories of modules by their path.
	dirs map[string]string
	// fields are the types of fields by their path.
	fields map[string]string
	parsed map[string]*ast.File
}

// elsewhere returns the fields of types whose modules are not read.
func elsewhere(name string) map[string]string {
	return map[string]map[string]string{
		"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":        {"": "duration"},
		"k8s.io/apimachinery/pkg/api/resource.QuantityValue":   {"": "quantity"},
		"k8s.io/api/core/v1.ResourceList":                      {"{}": "quantity"},
		"k8s.io/component-base/logs/api/v1.TimeOrMetaDuration": {"": "period"},
		"k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta":        {".apiVersion": "string", ".kind": "string"},
		"time.Duration": {"": "int64"},
		"k8s.io/api/core/v1.Taint": {
			".key": "string", ".value": "string", ".effect": "string", ".timeAdded": "time",
		},
	}[name]
}

// file returns the file with the types of a package.
func (s *source) file(pkg string) *ast.File {
	s.t.Helper()
	if f := s.parsed[pkg]; f != nil {
		return f
	}
	for module, dir := range s.dirs {
		if rest, below := strings.CutPrefix(pkg, module+"/"); below {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, rest, "types.go"), nil, 0)
			if err != nil {
				s.t.Fatal(err)
			}
			s.parsed[pkg] = f
			return f
		}
	}
	s.t.Fatalf("the package %s is not read", pkg)
	return nil
}

// named adds the fields of a type of a package, which the value at the path has.
func (s *source) named(at, pkg, name string) {
	s.t.Helper()
	if known := elsewhere(pkg + "." + name); known != nil {
		for rest, kind := range known {
			s.fields[strings.TrimPrefix(at+rest, ".")] = kind
		}
		return
	}
	for _, d := range s.file(pkg).Decls {
		g, is := d.(*ast.GenDecl)
		if !is || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			if t, is := spec.(*ast.TypeSpec); is && t.Name.Name == name {
				s.add(at, pkg, t.Type)
				return
			}
		}
	}
	s.t.Fatalf("the package %s has no type %s", pkg, name)
}

// add adds the fields of a type expression.
func (s *source) add(at, pkg string, e ast.Expr) {
	s.t.Helper()
	switch e := e.(type) {
	case *ast.StarExpr:
		s.add(at, pkg, e.X)
	case *ast.ArrayType:
		s.add(at+"[]", pkg, e.Elt)
	case *ast.MapType:
		s.add(at+"{}", pkg, e.Value)
	case *ast.SelectorExpr:
		s.named(at, s.imported(pkg, e.X.(*ast.Ident).Name), e.Sel.Name)
	case *ast.StructType:
		for _, f := range e.Fields.List {
			s.field(at, pkg, f)
		}
	case *ast.Ident:
		if ast.IsExported(e.Name) {
			s.named(at, pkg, e.Name)
			return
		}
		s.fields[at] = e.Name
	default:
		s.t.Fatalf("%s: a type %T", at, e)
	}
}

func (s *source) field(at, pkg string, f *ast.Field) {
	s.t.Helper()
	name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	switch name {
	case "-":
	case "":
		s.add(at, pkg, f.Type)
	default:
		s.add(strings.TrimPrefix(at+"."+name, "."), pkg, f.Type)
	}
}

// imported returns the path of the package that a file imports with a name.
func (s *source) imported(pkg, name string) string {
	s.t.Helper()
	for _, i := range s.file(pkg).Imports {
		imported := strings.Trim(i.Path.Value, `"`)
		if i.Name != nil && i.Name.Name == name || i.Name == nil && path.Base(imported) == name {
			return imported
		}
	}
	s.t.Fatalf("%s does not import %s", pkg, name)
	return ""
}
