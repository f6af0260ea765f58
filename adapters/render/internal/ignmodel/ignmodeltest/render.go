package ignmodeltest

import (
	"testing"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// Render returns the payload, or ends the test.
func Render(t testing.TB, r ports.Renderer, p plan.Plan) []byte {
	t.Helper()
	rendering, findings, err := r.Render(t.Context(), p)
	if err != nil || findings.HasErrors() {
		t.Fatalf("Render: %v\n%s", err, findings)
	}
	if len(rendering.Places) != len(p.Steps) {
		t.Fatalf("got places of %d steps, want %d", len(rendering.Places), len(p.Steps))
	}
	return rendering.Payload.Data.Reveal()
}

// Version returns the target for which a version of the format is asked for.
func Version(t osprofile.Target, v string) osprofile.Target {
	t.FormatVersion = v
	return t
}
