package bottlerocket_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports/portstest"
)

// least is the number of samples that the format must render; it only grows.
const least = 9

// TestSamplesAreSettings also reads the renderer's output for each sample document, since the goldens do not contain
// them all.
func TestSamplesAreSettings(t *testing.T) {
	profile, _ := osprofile.Lookup("bottlerocket")
	target := osprofile.Target{Profile: profile, Architecture: "amd64", KubernetesVersion: "v1.36.3"}
	rendered := 0
	for _, s := range portstest.Documents(target) {
		t.Run(s.Name, func(t *testing.T) {
			rendering, findings, err := bottlerocket.Renderer{}.Render(t.Context(), native(target, s.At("documents")))
			if err != nil {
				t.Fatal(err)
			}
			if findings.HasErrors() {
				return
			}
			rendered++
			if _, err := parse(rendering.Payload.Data.Reveal()); err != nil {
				t.Errorf("%v\n%s", err, rendering.Payload.Data.Reveal())
			}
		})
	}
	if rendered < least {
		t.Errorf("%d samples are rendered, want at least %d", rendered, least)
	}
}

func native(target osprofile.Target, docs []document.Document) plan.Plan {
	expansions := make([]plan.Expansion, len(docs))
	for i := range expansions {
		expansions[i].Native = true
	}
	return plan.New(target, docs, expansions)
}
