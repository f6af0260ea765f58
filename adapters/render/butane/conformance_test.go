package butane_test

import (
	"testing"

	"github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/ignition/v2/config/v3_6"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
	"github.com/machineadm/machineadm/ports/portstest"
)

// view has Butane translate the configuration, and Ignition's own parser read that.
func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	translated, entries, err := config.TranslateBytes(payload, common.TranslateBytesOptions{Raw: true})
	if err != nil || entries.IsFatal() {
		t.Fatalf("%v\n%s", err, entries.String())
	}
	c, entries, err := v3_6.ParseCompatibleVersion(translated)
	if err != nil || entries.IsFatal() {
		t.Fatalf("%v\n%s", err, entries.String())
	}
	return ignmodeltest.View(t, c)
}

func TestConformance(t *testing.T) {
	for _, distribution := range []string{"flatcar", "fedora-coreos"} {
		t.Run(distribution, func(t *testing.T) {
			portstest.Renderer(t, butane.New(), ignmodeltest.Target(distribution, ""), view)
		})
	}
}
