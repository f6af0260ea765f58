package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readSources opens each Go file, go.mod and script, so that go test sees what the result depends on: it does not see
// what programs read.
func readSources(t *testing.T) {
	t.Helper()
	err := walkTree(".", func(path string, d fs.DirEntry) {
		if slices.Contains([]string{".go", ".mod", ".sum", ".sh", ".json", ".work"}, filepath.Ext(path)) && !d.IsDir() {
			if _, err := os.ReadFile(path); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTree(t *testing.T) {
	const empty = "module m\n\ngo 1.26\n"
	cases := map[string]struct {
		reason, file, text, want string
	}{
		"fine": {
			reason: "nothing is wrong",
			file:   "hack/a.sh", text: "go tool -modfile=go.tool.mod x\nskopeo copy a@sha256:0\n",
		},
		"replace": {
			reason: "other code than its name suggests",
			file:   "go.mod", text: empty + "replace a.com/a => b.com/b v1.0.0\n", want: "replace a.com/a",
		},
		"version": {
			reason: "require contains it, too",
			file:   "go.mod", text: empty + "replace a.com/a => a.com/a v1.0.0\n", want: "replace a.com/a",
		},
		"tool": {
			reason: "tools are programs, too",
			file:   "go.tool.mod", text: empty + "replace a.com/a => ../a\n", want: "replace a.com/a",
		},
		"staging": {
			reason: "Kubernetes requires v0.0.0 of these",
			file:   "tools/k/go.mod", text: empty + "replace a.com/a => a.com/a v1.0.0\n",
		},
		"fork": {
			reason: "other code than its name suggests",
			file:   "tools/k/go.mod", text: empty + "replace a.com/a => b.com/a v1.0.0\n", want: "replace a.com/a",
		},
		"directory": {
			reason: "code that is not pinned",
			file:   "tools/k/go.mod", text: empty + "replace a.com/a => ./a\n", want: "replace a.com/a",
		},
		"latest": {
			reason: "tomorrow it is another program",
			file:   "hack/a.sh", text: "go run a.com/a@latest\n", want: "@latest",
		},
		"branch": {
			reason: "tomorrow it is another program",
			file:   "Makefile", text: "\tgo install a.com/a@main\n", want: "@main",
		},
		"version of a branch": {
			reason: "the newest v1 is another one tomorrow",
			file:   "hack/a.sh", text: "go run a.com/a@v1 x\n", want: "@v1 ",
		},
		"exact": {reason: "one version", file: "hack/a.sh", text: "go run a.com/a@v1.2.3 x\n"},
		"script of a test": {
			reason: "build servers run it",
			file:   "test/a/b/c.sh", text: "npx a@latest\n", want: "@latest",
		},
		"test module": {
			reason: "tests run it",
			file:   "test/foreign/go.mod", text: empty + "replace a.com/a => b.com/a v1.0.0\n", want: "replace a.com/a",
		},
		"tree": {
			reason: "it is tested with this tree",
			file:   "test/foreign/go.mod", text: empty + "replace " + own + " => ../..\n",
		},
		"replaced in the program of tests": {
			reason: "its requirements have the replacement, and do not need it",
			file:   "test/inmemory/go.mod", text: empty + "replace a.com/a => ../\n", want: "replace a.com/a",
		},
		"workspace": {
			reason: "it replaces modules without go.mod",
			file:   "go.work", text: "go 1.26\nuse .\nreplace a.com/a => ./a\n", want: "go.work: workspaces",
		},
		"vendored": {
			reason: "go.sum does not check it",
			file:   "vendor/modules.txt", text: "# a.com/a v1.0.0\n", want: "vendor: vendored",
		},
		"nested module": {
			reason: "the pattern of programs does not match its packages",
			file:   "cmd/other/go.mod", text: empty, want: "cmd/other/go.mod: the requirements",
		},
		"other program": {
			reason: "the pattern of programs does not match its name",
			file:   "cmd/other/main.go", text: "package main\n", want: "cmd/other: the modules",
		},
		"program":      {reason: "the pattern matches it", file: "cmd/machineadm-a/main.go", text: "package main\n"},
		"build server": {reason: "it runs on build servers", file: ".ci/run", text: "npx a@latest\n", want: "@latest"},
		"npm, range": {
			reason: "tomorrow it is another program",
			file:   "tools/n/package.json", text: `{"dependencies":{"a":"^1.2.3"}}`, want: `a "^1.2.3"`,
		},
		"npm, optional": {
			reason: "it is installed where it can be",
			file:   "tools/n/package.json", text: `{"optionalDependencies":{"a":"*"}}`, want: `a "*"`,
		},
		"npm": {
			reason: "an exact version, without a lock",
			file:   "tools/n/package.json", text: `{"devDependencies":{"a":"1.2.3"}}`, want: "package-lock.json",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			plant(t, root, "go.mod", empty)
			plant(t, root, "go.tool.mod", empty)
			plant(t, root, c.file, c.text)
			all, err := checkTree(t.Context(), root)
			got := strings.Join(all, "\n")
			if err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: got %q, error %v, want %q", c.reason, got, err, c.want)
			}
		})
	}
}

func plant(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
