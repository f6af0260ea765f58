package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/kubernetes/talossecrets/bundle"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/canary"
	"github.com/machineadm/machineadm/test/golden"
)

// dir holds the scenarios.
const dir = "../../testdata/scenarios"

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
	for _, r := range formats.Builtin() {
		format := r.Format()
		code, out, said := runScenario(t, "render", "-f", filepath.Join(scenario, "manifests.yaml"), "--format", string(format))
		want.Compare(t, string(format)+".report", said)
		showNoSecret(t, scenario, format, string(out))
		if code != 0 {
			continue
		}
		rendered++
		want.Compare(t, string(format)+extension(t, scenario, format), out)
		if _, again, _ := runScenario(t, "render", "-f", filepath.Join(scenario, "manifests.yaml"), "--format", string(format)); !bytes.Equal(out, again) {
			t.Errorf("%s: the same machine gave other bytes", format)
		}
	}
	if rendered == 0 {
		t.Error("no format says this machine")
	}
}

// extension returns how the file of the payload's kind ends, as the renderer says.
func extension(t *testing.T, scenario string, f delivery.Format) string {
	t.Helper()
	seen := &witness{}
	runWith(t, seen, "render", "-f", filepath.Join(scenario, "manifests.yaml"), "--format", string(f))
	return seen.payload.FileExtension
}

// witness keeps the payload that a renderer makes for the terminal.
type witness struct{ payload delivery.Payload }

type witnessed struct {
	ports.Renderer
	*witness
}

func (w witnessed) Render(p plan.Plan) (ports.Rendering, report.Report, error) {
	rendering, findings, err := w.Renderer.Render(p)
	w.payload = rendering.Payload
	return rendering, findings, err
}

func (w witnessed) Suits(t osprofile.Target, p report.Path) report.Report {
	return ports.Suits(w.Renderer, t, p)
}

// showNoSecret searches what each command says of a scenario for planted secrets, and for those that the payload was given.
func showNoSecret(t *testing.T, scenario string, format delivery.Format, payload string) {
	t.Helper()
	secrets := canary.Made(payload)
	for _, args := range [][]string{
		{"render"},
		{"explain"},
		{"explain", "-o", "json"},
		{"explain", "-o", "yaml"},
		{"validate"},
		{"validate", "-o", "json"},
		{"validate", "-o", "yaml"},
	} {
		_, out, said := runScenario(t, append(args, "-f", filepath.Join(scenario, "manifests.yaml"), "--format", string(format))...)
		if args[0] != "render" {
			said = append(said, out...)
		}
		canary.Check(t, fmt.Sprintf("%v of %s", args, format), string(said), secrets...)
	}
}

// TestScenariosHoldSecrets shows that the search has something to find.
func TestScenariosHoldSecrets(t *testing.T) {
	for _, scenario := range []string{"air-gapped", "control-plane-init", "proxy"} {
		_, out, _ := runScenario(t, "render", "-f", filepath.Join(dir, scenario, "manifests.yaml"))
		search, err := canary.For()
		if err != nil || len(search.In(string(out))) == 0 || len(canary.Made(string(out))) == 0 {
			t.Errorf("%s: no planted secret, or no token or key, is in the data: %v", scenario, err)
		}
	}
}

func runScenario(t *testing.T, args ...string) (code int, out, said []byte) {
	t.Helper()
	return runWith(t, &witness{}, args...)
}

func runWith(t *testing.T, seen *witness, args ...string) (code int, out, said []byte) {
	t.Helper()
	var renderers []ports.Renderer
	for _, r := range formats.Builtin() {
		renderers = append(renderers, witnessed{Renderer: r, witness: seen})
	}
	service, err := render.New(renderers, plugins.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code = cli.Run(t.Context(), cli.Options{
		Describe: describe, Render: service, TalosBundle: bundle.Decode, Version: "test", In: bytes.NewReader(nil), Out: &stdout, Err: &stderr,
	}, args)
	return code, stdout.Bytes(), stderr.Bytes()
}
