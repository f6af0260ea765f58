package main

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/machineadm/machineadm/test/canary"
)

// kustomize builds a kustomization with a git that creates a file, and returns what was printed and whether it ran.
func kustomize(t *testing.T, files map[string]string) (printed string, gitRan bool) {
	t.Helper()
	folder, programs := t.TempDir(), t.TempDir()
	mark := filepath.Join(programs, "ran")
	program := "#!/bin/sh\n: > '" + mark + "'\nexit 1\n"
	if err := os.WriteFile(filepath.Join(programs, "git"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, isLink := strings.CutPrefix(text, "link:"); isLink {
			err = os.Symlink(target, filepath.Join(folder, name))
		} else {
			err = os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	args := []string{"validate", "--kubernetes-version", "v1.36.3", "--quiet", "-k", folder}
	run(args, strings.NewReader(""), &out, &errs)
	_, err := os.Stat(mark)
	return out.String() + errs.String(), err == nil
}

// TestKustomizationsAreLocal builds hostile kustomizations. git would execute what a reference such as
// --upload-pack=PROGRAM names.
func TestKustomizationsAreLocal(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer server.Close()
	const manifest = "apiVersion: bootstrap.machineadm.io/v1alpha1\nkind: MachineBootstrapConfig\nmetadata: {name: a}\n" +
		"spec: {os: {distribution: debian}}\n"
	remote := "resources: [\"file:///srv/a?ref=--upload-pack=x&s=" + canary.Mark + "\"]"
	cases := map[string]struct {
		reason, kustomization string
		others                map[string]string
		want                  string
	}{
		"local": {"files beside it are built", "resources: [a.yaml]", nil, "1 machine"},
		"base": {
			"a directory beside it is built", "resources: [base]",
			map[string]string{"base/kustomization.yaml": "resources: [b.yaml]", "base/b.yaml": manifest},
			"1 machine",
		},
		"file":    {"git reads a directory", remote, nil, "entry 1 of resources is not"},
		"ssh":     {"git connects", `resources: [a.yaml, "x@host:a/b"]`, nil, "entry 2 of resources"},
		"github":  {"no scheme is needed", "components: [GitHub.com/a/b]", nil, "components"},
		"forced":  {"a prefix is ignored", `bases: ["git::https://localhost/a/b"]`, nil, "bases"},
		"capital": {"names of fields have any case", `Transformers: ["ssh://localhost/a/b"]`, nil, "transformers"},
		"lines":   {"what is no object is a directory", `generators: ["file:///srv/a?ref=b\n"]`, nil, "generators"},
		"link": {
			"a kustomization can have any name", "link:b", map[string]string{"b": remote}, "entry 1 of resources",
		},
		"nested": {
			"a base is a kustomization, too", "resources: [base]",
			map[string]string{"base/Kustomization": remote},
			"entry 1 of resources",
		},
		"url":   {"kustomize fetches files", "resources: [" + server.URL + "/a]", nil, "entry 1 of resources"},
		"patch": {"all files can be URLs", "patches: [{path: " + server.URL + "/a}]", nil, "patches"},
		"generator": {
			"a key precedes the URL", "configMapGenerator: [{name: a, files: [k=" + server.URL + "/a]}]", nil,
			"the files of a generator",
		},
		"plugin": {
			"a built-in plugin reads files", "generators: [b.yaml]",
			map[string]string{"b.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\n" +
				"Files: [\"\\x68ttp" + strings.TrimPrefix(server.URL, "http") + "/a\"]"},
			"entry 1 of generators",
		},
		"inline plugin": {
			"its configuration can be the value",
			"resources: [a.yaml]\ntransformers: [\"{apiVersion: builtin, kind: PatchTransformer, metadata: {name: a}, path: " +
				server.URL + "/a, target: {name: a}}\"]", nil,
			"entry 1 of transformers",
		},
		"linked plugin": {
			"a file has any name", "transformers: [c.yaml]",
			map[string]string{
				"c.yaml": "link:b",
				"b": "{apiVersion: builtin, kind: ReplacementTransformer, metadata: {name: a}, replacements: [{path: " +
					server.URL + "/a}]}",
			},
			"entry 1 of transformers",
		},
		"directory of plugins": {
			"its kustomization changes names of files", "generators: [b]",
			map[string]string{
				"b/kustomization.yaml": "resources: [c.yaml]\npatches: [{target: {name: a}, patch: " +
					"'[{op: replace, path: /files/0, value: " + server.URL + "/a}]'}]",
				"b/c.yaml": "{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: a}, files: [x]}",
			},
			"entry 1 of generators",
		},
		"local plugin": {
			"a URL can be a value", "resources: [a.yaml]\ntransformers: [b.yaml]",
			map[string]string{"b.yaml": "{apiVersion: builtin, kind: AnnotationsTransformer, metadata: {name: a}, " +
				"annotations: {a: 'https://example.com'}, fieldSpecs: [{path: metadata/annotations, create: true}]}"},
			"1 machine",
		},
		"endless": {
			"a file can be a link to a device", "resources: [b.yaml]",
			map[string]string{"b.yaml": "link:/dev/zero"},
			"build the kustomization",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"kustomization.yaml": tc.kustomization, "a.yaml": manifest}
			maps.Copy(files, tc.others)
			printed, gitRan := kustomize(t, files)
			if gitRan || requests.Load() > 0 || !strings.Contains(printed, tc.want) || strings.Contains(printed, canary.Mark) {
				t.Errorf("%s: git ran: %v, requests: %d\n%s", tc.reason, gitRan, requests.Load(), printed)
			}
		})
	}
}
