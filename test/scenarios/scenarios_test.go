package scenarios

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/test/nightly"
)

// goldenPath is how a golden's path ends.
var goldenPath = regexp.MustCompile(`^[a-z0-9-]+/want/([a-z0-9-]+)/[a-z0-9.-]+\.[a-z0-9]+$`)

// byFormat returns the paths of all goldens below the scenarios, by their format.
func byFormat(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	root := Root(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, "/want/") || d.Name() == "report.txt" {
			return err
		}
		m := goldenPath.FindStringSubmatch(strings.TrimPrefix(path, root+"/"))
		if m == nil {
			t.Errorf("%s is no golden that a test finds", path)
			return nil
		}
		all[m[1]] = append(all[m[1]], path)
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	return all
}

// Each golden is among those that a test gets when it asks for the format.
func TestOfFindsAll(t *testing.T) {
	for format, want := range byFormat(t) {
		var got []string
		for _, g := range Of(t, format) {
			if len(g.Data) == 0 || g.Path != One(t, format, g.Scenario, g.System).Path {
				t.Errorf("%s of %s is empty, or is another golden", g.Name(), format)
			}
			got = append(got, g.Path)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-there +found):\n%s", format, diff)
		}
	}
}

// A golden that no consumer reads shows the output of the renderer, and not that a machine understands it.
func TestEachFormatHasAConsumer(t *testing.T) {
	requested := askedFor(t, "../consumers", "../../adapters/render")
	for format, goldens := range byFormat(t) {
		t.Logf("%s: %d goldens, read by %q", format, len(goldens), requested[format])
		if len(requested[format]) == 0 {
			t.Errorf("no test asks for the %d goldens of %s; write one that calls scenarios.Of(t, %q) and has the format's "+
				"own consumer read them",
				len(goldens), format, format)
		}
	}
}

// askedFor returns the folders with tests that call Of, by the format that they ask for.
func askedFor(t *testing.T, roots ...string) map[string][]string {
	t.Helper()
	requested := map[string][]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, format := range calls(t, path) {
				if folder := filepath.Dir(path); !slices.Contains(requested[format], folder) {
					requested[format] = append(requested[format], folder)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return requested
}

// calls returns the formats in a file's calls of scenarios.Of and scenarios.Sample.
func calls(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var formats []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || len(call.Args) != 2 {
			return true
		}
		f, isSelector := call.Fun.(*ast.SelectorExpr)
		format, isLiteral := call.Args[1].(*ast.BasicLit)
		if isSelector && isLiteral && (f.Sel.Name == "Of" || f.Sel.Name == "Sample") {
			if x, isName := f.X.(*ast.Ident); isName && x.Name == "scenarios" {
				name, _ := strconv.Unquote(format.Value)
				formats = append(formats, name)
			}
		}
		return true
	})
	return formats
}

// TestSample fails if a scenario or a system is in no sample.
func TestSample(t *testing.T) {
	t.Setenv(nightly.Variable, "")
	for format := range byFormat(t) {
		all, sampled := map[string]bool{}, map[string]bool{}
		for _, g := range Of(t, format) {
			all[g.Scenario], all[g.System] = true, true
		}
		for _, g := range Sample(t, format) {
			sampled[g.Scenario], sampled[g.System] = true, true
		}
		if diff := cmp.Diff(all, sampled); diff != "" {
			t.Errorf("%s (-all +sampled):\n%s", format, diff)
		}
	}
}
