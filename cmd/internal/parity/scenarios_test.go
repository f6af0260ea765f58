package parity_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/machineadm/machineadm/adapters/cli"
	"github.com/machineadm/machineadm/adapters/codec"
	"github.com/machineadm/machineadm/adapters/render/shell"
	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/cmd/internal/catalog/plugins"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/scenarios"
)

// scenarioDigest is the SHA-256 of the artifacts of all scenarios.
const scenarioDigest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

// osReleases returns the os-release(5) of each system of the scenarios; it is empty for the system of the root. Samples
// of other systems run in the Debian root, too: programs that differ are recorded, and the agent detects the system by
// this file only.
func osReleases() map[string]string {
	return map[string]string{
		"debian-12":                     "",
		"fedora-coreos-42.20250705.3.0": "ID=fedora\nVARIANT_ID=coreos\nVERSION_ID=42\n",
	}
}

// scenarios returns a sample for each golden of the shell format, with the target of the controller.
func (w *world) scenarios(t *testing.T) map[string]sample {
	t.Helper()
	samples := map[string]sample{}
	for _, g := range scenarios.Of(t, string(shell.Format)) {
		osRelease, known := osReleases()[g.System]
		if !known {
			t.Errorf("%s: add the system to osReleases", g.Name())
		}
		for _, v := range scenarios.Variants(t, g.Scenario, []ports.Renderer{shell.Renderer{}}) {
			if v.System != g.System {
				continue
			}
			p := planned(t, v)
			values := make([]document.Value, len(p.Documents))
			for i, d := range p.Documents {
				values[i] = d.Value
			}
			s := sample{documents: documents(t, values...), target: p.Target, osRelease: osRelease}
			// This is a property of the root.
			s.target.Architecture = w.target.Architecture
			samples["scenario-"+g.Scenario] = s
		}
	}
	return samples
}

// planned returns the plan that machineadmctl passes to the shell format.
func planned(t *testing.T, v scenarios.Variant) plan.Plan {
	t.Helper()
	var p plan.Plan
	service, err := render.New([]ports.Renderer{planRecorder{plan: &p}}, plugins.Builtin(),
		render.WithCodec(codec.Codec{}))
	if err != nil {
		t.Fatal(err)
	}
	var findings bytes.Buffer
	if code := cli.Run(t.Context(), cli.Options{
		Render: service, Codec: codec.Codec{}, In: bytes.NewReader(v.Manifests), Out: io.Discard, Err: &findings,
	}, v.Args("render")); code != 0 {
		t.Fatalf("%s: exit code %d\n%s", v, code, findings.String())
	}
	return p
}

// planRecorder is the shell format. It records the plan.
type planRecorder struct {
	shell.Renderer
	plan *plan.Plan
}

// Render records and renders the plan.
func (r planRecorder) Render(ctx context.Context, p plan.Plan) (ports.Rendering, report.Report, error) {
	*r.plan = p
	return r.Renderer.Render(ctx, p)
}
