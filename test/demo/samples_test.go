//go:build !unit

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/programs"
)

// TestSamples validates the manifests of the cluster, and that they use the network of the demo.
func TestSamples(t *testing.T) {
	terminal, err := programs.Build(t.Context(), "machineadmctl")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, name := range []string{"demo-nodes.yaml", "demo-failure.yaml", "demo-virtual.yaml"} {
		file, err := os.ReadFile(filepath.Join(programs.Root(), "config/samples", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(file), "http://"+registry) && name != "demo-failure.yaml" {
			t.Errorf("%s does not use the registry %s", name, registry)
		}
		text.WriteString("---\n" + string(file))
	}
	digest := strings.Repeat("0a", 32)
	validate := exec.CommandContext(t.Context(), terminal, "validate", "--strict", "-f", "-")
	validate.Stdin = strings.NewReader(strings.NewReplacer("IMAGE_SHA256", digest, "EXTENSION_SHA256", digest).
		Replace(text.String()))
	if out, err := validate.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
