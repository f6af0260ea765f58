package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/test/golden"
)

// dir holds the scenarios.
const dir = "../../testdata/scenarios"

// extensions are how the goldens of each format end.
func extensions() map[delivery.Format]string {
	return map[delivery.Format]string{
		delivery.FormatCloudInit: ".yaml", delivery.FormatIgnition: ".ign", delivery.FormatIgnitionV2: ".ign",
		delivery.FormatButane: ".bu",
	}
}

// TestScenarios renders each machine in each format and compares with its goldens. A scenario goes through the terminal's
// program, hence through the controller's use case. What a format refuses is a golden too: the findings stand in
// want/<format>.report.
func TestScenarios(t *testing.T) {
	scenarios, err := os.ReadDir(dir)
	if err != nil || len(scenarios) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, s := range scenarios {
		t.Run(s.Name(), func(t *testing.T) { renderAll(t, filepath.Join(dir, s.Name())) })
	}
}

func renderAll(t *testing.T, scenario string) {
	t.Helper()
	if readme, err := os.ReadFile(filepath.Join(scenario, "README.md")); err != nil || len(readme) == 0 {
		t.Errorf("a scenario's README says what it shows: %v", err)
	}
	want := golden.Open(t, filepath.Join(scenario, "want"))
	rendered := 0
	for format, extension := range extensions() {
		code, out, report := runScenario(t, "render", "-f", filepath.Join(scenario, "manifests.yaml"), "--format", string(format))
		want.Compare(t, string(format)+".report", report)
		if code != 0 {
			continue
		}
		rendered++
		want.Compare(t, string(format)+extension, out)
		if _, again, _ := runScenario(t, "render", "-f", filepath.Join(scenario, "manifests.yaml"), "--format", string(format)); !bytes.Equal(out, again) {
			t.Errorf("%s: the same machine gave other bytes", format)
		}
	}
	if rendered == 0 {
		t.Error("no format says this machine")
	}
}

func runScenario(t *testing.T, args ...string) (code int, out, report []byte) {
	t.Helper()
	service, err := render.New(formats.Builtin(), plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code = cli.Run(t.Context(), cli.Options{
		Describe: describe, Render: service, Version: "test", In: bytes.NewReader(nil), Out: &stdout, Err: &stderr,
	}, args)
	return code, stdout.Bytes(), stderr.Bytes()
}
