package script_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/machineadm/machineadm/adapters/internal/script"
)

const repository = "../../.."

// programs returns the paths of the embedded programs with the extension.
func programs(t *testing.T, extension string) []string {
	t.Helper()
	var paths []string
	for _, folder := range []string{"adapters", "app", "cmd"} {
		err := filepath.WalkDir(filepath.Join(repository, folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if err == nil && filepath.Ext(path) == extension {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(paths) == 0 {
		t.Fatalf("no program ends in %s", extension)
	}
	return paths
}

// stripped returns the program at the path and its name, and a file with the same program as strip returns it.
func stripped(t *testing.T, path string, strip func(string) string) (program, name, file string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(file, []byte(strip(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	name, err = filepath.Rel(repository, path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), name, file
}

func TestStripKeepsTheSyntaxOfShell(t *testing.T) {
	for _, path := range programs(t, ".sh") {
		original, name, _ := stripped(t, path, script.StripShell)
		// The printer keeps continued lines, which StripShell joins.
		want, _ := minified(t, name, strings.ReplaceAll(original, "\\\n", ""))
		got, comments := minified(t, name, script.StripShell(original))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the syntax differs (-want +got):\n%s", name, diff)
		}
		for _, c := range comments {
			t.Errorf("%s: the comment %q is on a line of code", name, c)
		}
	}
}

// minified returns the program as shfmt minifies it, and its comments apart from the line of the interpreter.
func minified(t *testing.T, name, program string) (text string, comments []string) {
	t.Helper()
	parser := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangPOSIX))
	file, err := parser.Parse(strings.NewReader(program), name)
	if err != nil {
		t.Fatal(err)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok && !(c.Pos().Line() == 1 && strings.HasPrefix(c.Text, "!")) {
			comments = append(comments, c.Text)
		}
		return true
	})
	var b bytes.Buffer
	if err := syntax.NewPrinter(syntax.Minify(true)).Print(&b, file); err != nil {
		t.Fatal(err)
	}
	return b.String(), comments
}

func TestStripKeepsTheSyntaxOfPython(t *testing.T) {
	for _, path := range programs(t, ".py") {
		_, name, file := stripped(t, path, script.StripPython)
		if out, err := exec.Command("python3", "testdata/compare.py", path, file).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", name, out)
		}
	}
}

func TestStripKeepsTheSyntaxOfPowerShell(t *testing.T) {
	paths := programs(t, ".ps1")
	var names, files []string
	for _, path := range paths {
		_, name, file := stripped(t, path, script.Strip)
		names, files = append(names, name), append(files, file)
	}
	want, got := trees(t, paths), trees(t, files)
	if len(want) != len(paths) || len(got) != len(paths) {
		t.Fatalf("got %d and %d trees of %d programs", len(want), len(got), len(paths))
	}
	for i, name := range names {
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Errorf("%s: the syntax differs (-want +got):\n%s", name, diff)
		}
		if comment := regexp.MustCompile(`(?m)^ *comment .*`).FindString(got[i]); comment != "" {
			t.Errorf("%s: a comment is on a line of code: %s", name, comment)
		}
	}
}

// trees returns the syntax tree of each file by the grammar of PowerShell.
func trees(t *testing.T, files []string) []string {
	t.Helper()
	command := exec.Command(repository+"/hack/powershell.sh", append([]string{"--tree"}, files...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Split("\n"+string(out), "\nprogram\n")[1:]
}
