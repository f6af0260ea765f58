package agent_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
)

// newer returns a machineadmctl of a later release, which writes another version of the documents.
func newer(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs("../../../adapters/codec/codec.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const version = `Version = "v1alpha1"`
	if !bytes.Contains(text, []byte(version)) {
		t.Fatalf("%s does not contain %s", source, version)
	}
	dir := t.TempDir()
	later, overlay := filepath.Join(dir, "doc.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: later}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{
		later: bytes.Replace(text, []byte(version), []byte(`Version = "v1alpha2"`), 1), overlay: replaced,
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "machineadmctl")
	command := exec.Command("go", "build", "-overlay", overlay, "-ldflags=-s", "-o", path, "../../../cmd/machineadmctl")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// later returns the configuration of a machine by a later release. In a nightly run that release is built.
func later(t *testing.T) []byte {
	t.Helper()
	if nightly.Enabled() {
		return configuration(t, newer(t))
	}
	return bytes.ReplaceAll(configuration(t, built(t, "machineadmctl")), []byte("machineadm.io/v1alpha1"),
		[]byte("machineadm.io/v1alpha2"))
}

func configuration(t *testing.T, terminal string) []byte {
	t.Helper()
	manifests, err := os.ReadFile("testdata/worker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	render := exec.Command(terminal, "render", "-f", "-", "--format", "machineadm")
	render.Stdin = bytes.NewReader(bytes.ReplaceAll(manifests, []byte("DISTRIBUTION"), []byte("debian")))
	text, err := render.Output()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestOlderAgentRefusesNewerDocuments gives an agent that was baked into an image the configuration of a later release.
func TestOlderAgentRefusesNewerDocuments(t *testing.T) {
	agent, text := built(t, "machineadm"), later(t)
	if !bytes.Contains(text, []byte("apiVersion: machineadm.io/v1alpha2\n")) {
		t.Fatal("the configuration has another version")
	}
	root := t.TempDir()
	path := filepath.Join(t.TempDir(), "machineadm_config.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	const refusal = "documents[0].apiVersion (line 2, column 1): this program reads machineadm.io/v1alpha1 and not " +
		"machineadm.io/v1alpha2; " +
		"use a newer program, or write the older version"
	for _, command := range []string{"check", "apply"} {
		output, err := exec.Command(agent, command, "--root", root, "--path", path).CombinedOutput()
		if err == nil || !strings.Contains(string(output), refusal) {
			t.Errorf("%s: %v\n%s", command, err, output)
		}
	}
	record, err := os.ReadFile(filepath.Join(root, "run/cluster-api/bootstrap-failure.json"))
	if err != nil || !strings.Contains(string(record), `"phase": "start"`) || !strings.Contains(string(record),
		"this program reads machineadm.io/v1alpha1") {
		t.Errorf("the record: %v\n%s", err, record)
	}
	for _, path := range []string{"etc", "srv", "run/cluster-api/bootstrap-success.complete"} {
		if _, err := os.Stat(filepath.Join(root, path)); err == nil {
			t.Errorf("the agent has made /%s", path)
		}
	}
}
