package ignition_test

import (
	"testing"

	"github.com/coreos/ignition/v2/config/v3_6"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/ports/portstest"
)

// view has Ignition's own parser read the configuration.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	c, entries, err := v3_6.ParseCompatibleVersion(payload)
	if err != nil || entries.IsFatal() {
		t.Fatalf("%v\n%s", err, entries.String())
	}
	return ignmodeltest.View(t, c)
}

func TestConformance(t *testing.T) {
	for name, target := range map[string]struct{ distribution, release string }{
		"flatcar":       {distribution: "flatcar"},
		"oldest":        {distribution: "flatcar", release: "3185.0.0"},
		"fedora-coreos": {distribution: "fedora-coreos"},
		"sle-micro":     {distribution: "sle-micro"},
	} {
		t.Run(name, func(t *testing.T) {
			portstest.Renderer(t, ignition.New(), ignmodeltest.Target(target.distribution, target.release), view)
		})
	}
}
