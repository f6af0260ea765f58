package butane_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/test/golden"
)

func TestGoldens(t *testing.T) {
	cases := map[string]struct {
		reason string
		plan   plan.Plan
	}{
		"worker":     {reason: "an ordinary worker", plan: ignmodeltest.Worker(ignmodeltest.Target("flatcar", ""))},
		"everything": {reason: "each operation", plan: ignmodeltest.Everything(ignmodeltest.Target("flatcar", ""))},
		"everything-fcos": {
			reason: "the newest version",
			plan:   ignmodeltest.Everything(ignmodeltest.Target("fedora-coreos", "44.20260501.3.0")),
		},
		"worker-rhcos": {
			reason: "a MachineConfig has a name and a role",
			plan:   ignmodeltest.Worker(ignmodeltest.Target("rhcos", "")),
		},
	}
	goldens := golden.Open(t, "testdata")
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			goldens.Compare(t, name+".bu", ignmodeltest.Render(t, butane.New(), tc.plan))
		})
	}
}
