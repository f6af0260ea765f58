package ignitionv2_test

import (
	"testing"

	ignition "github.com/flatcar/ignition/config/v2_3"

	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/golden"
)

func old() osprofile.Target { return ignmodeltest.Target("flatcar", "2905.2.0") }

func TestGoldens(t *testing.T) {
	cases := map[string]struct {
		reason string
		plan   plan.Plan
	}{
		"worker":     {reason: "an ordinary worker", plan: ignmodeltest.Worker(old())},
		"everything": {reason: "each operation", plan: ignmodeltest.Everything(old())},
	}
	goldens := golden.Open(t, "testdata")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			data := ignmodeltest.Render(t, ignitionv2.New(), tc.plan)
			if _, entries, err := ignition.Parse(data); err != nil || len(entries.Entries) > 0 {
				t.Errorf("Parse: %v\n%s", err, entries)
			}
			goldens.Compare(t, name+".ign", data)
		})
	}
}

func BenchmarkWorker(b *testing.B) {
	r, p := ignitionv2.New(), ignmodeltest.Worker(old())
	b.ReportAllocs()
	for b.Loop() {
		if _, findings, err := r.Render(b.Context(), p); err != nil || findings.HasErrors() {
			b.Fatal(err, findings)
		}
	}
}
