package ignitionv2_test

import (
	"testing"

	ignition "github.com/flatcar/ignition/config/v2_3"

	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/ports/portstest"
)

// view has the old engine's own parser read the configuration.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	c, entries, err := ignition.Parse(payload)
	if err != nil || entries.IsFatal() {
		t.Fatalf("%v\n%s", err, entries)
	}
	return ignmodeltest.View(t, c)
}

func TestConformance(t *testing.T) {
	portstest.Renderer(t, ignitionv2.New(), old(), view)
}
