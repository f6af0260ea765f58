//go:build linux && !unit

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/signature"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/test/programs"
)

// TestReleaseOfAgents makes a release, verifies its signature as the controller does, and finds the agent in its layout
// by its digest.
func TestReleaseOfAgents(t *testing.T) {
	dir := t.TempDir()
	key, out := filepath.Join(dir, "key"), filepath.Join(dir, "out")
	command := func(name string, args ...string) []byte {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(append(os.Environ(), "PLATFORMS=linux/amd64"), programs.LinkCacheOf("release-of-agents")...)
		var output bytes.Buffer
		cmd.Stderr = &output
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, output.String())
		}
		return text
	}
	command("../../hack/packages.sh", "openssl")
	command("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
	command("../../hack/agents.sh", "v9.8.7", out, key)
	read := func(path string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(out, path))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	r := delivery.Release{
		Checksums: read("SHA256SUMS"), Signature: read("SHA256SUMS.sig"),
		PublicKey: command("openssl", "pkey", "-in", key, "-pubout"),
	}
	if err := (signature.Verifier{}).Verify(r.PublicKey, r.Checksums, r.Signature); err != nil {
		t.Fatal(err)
	}
	digest, _ := r.Digest(strings.ReplaceAll(delivery.ReleaseFile, "{arch}", "amd64"))
	agent := read("layout/blobs/sha256/" + digest)
	if !bytes.Equal(agent, read("machineadm-linux-amd64")) {
		t.Error("the layout has another agent")
	}
	if output := command(filepath.Join(out, "machineadm-linux-amd64"),
		"version"); strings.TrimSpace(string(output)) != "v9.8.7" {
		t.Errorf("its version is %s", output)
	}
	leads(t, read, digest)
}

// leads follows the layout's index to the layer of the agent, as a program does that reads layouts.
func leads(t *testing.T, read func(string) []byte, digest string) {
	t.Helper()
	type descriptor struct {
		Digest   string
		Size     int
		Platform struct{ OS, Architecture string }
	}
	var layout struct{ ImageLayoutVersion string }
	var index struct{ Manifests []descriptor }
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	blob := func(d descriptor) []byte {
		text := read("layout/blobs/" + strings.ReplaceAll(d.Digest, ":", "/"))
		if len(text) != d.Size {
			t.Errorf("%s has %d bytes and not %d", d.Digest, len(text), d.Size)
		}
		return text
	}
	decode := func(text []byte, to any) {
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	decode(read("layout/oci-layout"), &layout)
	decode(read("layout/index.json"), &index)
	if layout.ImageLayoutVersion != "1.0.0" || len(index.Manifests) != 1 ||
		index.Manifests[0].Platform.Architecture != "amd64" {
		t.Fatalf("the layout: %+v, %+v", layout, index)
	}
	decode(blob(index.Manifests[0]), &manifest)
	if len(manifest.Layers) != 1 || manifest.Layers[0].Digest != "sha256:"+digest {
		t.Fatalf("the manifest: %+v", manifest)
	}
	blob(manifest.Layers[0])
	blob(manifest.Config)
}
