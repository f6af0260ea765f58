package specs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/cmd/internal/corpus/specs"
)

const plane = `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: a
spec:
  replicas: %s
  kubeadmConfigSpec:
    verbosity: %s
`

// worktree are files of a repository with kustomizations.
func worktree() map[string]string {
	patch := fmt.Sprintf(plane, "1", "9")
	return map[string]string{
		"base/plane.yaml":                  fmt.Sprintf(plane, "3", "2"),
		"base/kustomization.yaml":          "resources: [plane.yaml]",
		"part/kustomization.yaml":          "kind: Component\npatches: [{path: replicas.yaml}]",
		"part/replicas.yaml":               strings.Split(patch, "  kubeadm")[0],
		"overlay/kustomization.yaml":       "resources: [../base]\ncomponents: [../part]\npatches: [{path: verbosity.yaml}]",
		"overlay/verbosity.yaml":           patch,
		"variables/kustomization.yaml":     "resources: [plane.yaml]",
		"variables/plane.yaml":             fmt.Sprintf(plane, "[${A}]", "4"),
		"server/kustomization.yaml":        "resources: [../base, https://example.com/a.yaml]",
		"scp/kustomization.yaml":           "resources: [../base, 'git@example.com:owner/name.git//deploy']",
		"missing/kustomization.yaml":       "resources: [../base, b.yaml]",
		"created/kustomization.yaml":       "resources: [../base/plane.yaml, secret.yaml]",
		"unrelated/kustomization.yaml":     "resources: [https://example.com/a.yaml]",
		"unrelated/nested/Kustomization":   "resources: [a.yaml]",
		"unrelated/nested/a.yaml":          "kind: ConfigMap",
		"list/kustomization.yaml":          "not: [closed",
		"list/generator/kustomization.yml": "configMapGenerator: [{name: a, files: [a=../../base/plane.yaml]}]",
	}
}

// commit creates a repository with the files.
func commit(t *testing.T, files map[string]string) specs.Repository {
	t.Helper()
	clones := t.TempDir()
	directory := filepath.Join(clones, "a")
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(directory, name)), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"},
	} {
		c := exec.CommandContext(t.Context(), "git", append([]string{"-C", directory}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	r, err := specs.Open(clones, specs.Repository{
		Name: "owner/a", Commit: "HEAD", Copies: map[string]string{"created/secret.yaml": ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKustomizations finds the specs of kustomizations, and the reasons of those that cannot be built. No server is
// asked.
func TestKustomizations(t *testing.T) {
	found, err := specs.Find(t.Context(), commit(t, worktree()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found.Specs {
		text, err := s.JSON(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s:%d %s", s.Source, s.Path, s.Line, text))
	}
	for _, s := range found.Skipped {
		got = append(got, fmt.Sprintf("%s:%d %s", s.Path, s.Line, s.Reason))
	}
	want := []string{
		`file base/plane.yaml:1 {"verbosity":2}`,
		`file overlay/verbosity.yaml:1 {"verbosity":9}`,
		`file variables/plane.yaml:1 {"verbosity":4}`,
		`kustomization base/kustomization.yaml:1 {"verbosity":2}`,
		`kustomization created/kustomization.yaml:1 {"verbosity":2}`,
		`kustomization overlay/kustomization.yaml:1 {"verbosity":9}`,
		`kustomization variables/kustomization.yaml:1 {"verbosity":4}`,
		"part/replicas.yaml:1 the object has no KubeadmConfigSpec; the results of the kustomizations that read it are " +
			"counted",
		"missing/kustomization.yaml:1 a kustomization of missing/b.yaml, which is not in the repository",
		"scp/kustomization.yaml:1 a kustomization of files of another server",
		"server/kustomization.yaml:1 a kustomization of files of another server",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
