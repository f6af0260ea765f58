//go:build linux

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

const composed = "../../testdata/composed/"

// apply runs the agent on the files of the example in an empty tree, with its fetches going to the server, and returns
// the files and the agent's output.
func apply(t *testing.T, agent, config, server string) (files, output string) {
	t.Helper()
	root := t.TempDir()
	put := func(name string, content []byte) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	passphrase, err := os.ReadFile(composed + "passphrase")
	if err != nil {
		t.Fatal(err)
	}
	put("etc/os-release", []byte("ID=debian\nVERSION_ID=12\n"))
	put("etc/machineadm/passphrase", passphrase)
	put("etc/machineadm/machineadm_config.yaml", []byte(strings.ReplaceAll(config, "http://mirror.example", server)))
	path := filepath.Join(root, "etc/machineadm/machineadm_config.yaml")
	out, _ := exec.CommandContext(t.Context(), agent, "apply", "--root", root, "--path", path, "--phase",
		"file").CombinedOutput()
	var all strings.Builder
	written, err := filepath.Glob(filepath.Join(root, "etc/example/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range written {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(strings.TrimPrefix(name, root) + ": " + string(content))
	}
	return all.String(), string(out)
}

// TestComposedConfiguration applies the example of documents in clear, stored elsewhere, and encrypted.
func TestComposedConfiguration(t *testing.T) {
	agent := filepath.Join(folder(t, agentName), agentName)
	site := http.FileServer(http.Dir(composed))
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	config, err := os.ReadFile(composed + "machineadm_config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files, output := apply(t, agent, string(config), server.URL)
	if files == "" {
		t.Fatal(output)
	}
	golden.File(t, composed+"want", []byte(files))
	cases := map[string]struct{ reason, old, with, want string }{
		"another machine": {
			"encrypted documents are bound to theirs", "machine: default/worker-1/",
			"machine: default/worker-2/", "cannot be decrypted",
		},
		"another site": {"its digest is another one", "sha256: ", "sha256: 0", "sha256"},
		"no site":      {"it is not there", "/site.yaml", "/other.yaml", "the server does not have it"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			files, output := apply(t, agent, strings.Replace(string(config), tc.old, tc.with, 1), server.URL)
			if files != "" || !strings.Contains(output, tc.want) {
				t.Errorf("%s: %s\n%s", tc.reason, files, output)
			}
		})
	}
}
