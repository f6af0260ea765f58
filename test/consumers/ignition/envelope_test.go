package ignition_test

import (
	"os"
	"testing"

	"github.com/machineadm/machineadm/adapters/envelope"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/test/nightly"
)

// TestCompressedConfigurationsArrive boots a configuration that contains the real one, compressed: every engine that
// reads its version creates the same machine. make test runs an old engine with the oldest such version, and the newest
// engine. The engine of 3.0 supports no compression, and our table agrees.
func TestCompressedConfigurationsArrive(t *testing.T) {
	for name, r := range nightly.Cases(t, runs(t), "3.1.0-distribution", "3.6.0") {
		if !delivery.ReadsOf(r.renderer.Format(), r.target.FormatVersion).Gzip {
			continue
		}
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if b, err := os.ReadFile(m.Lower + "/etc/hosts"); err == nil {
				m.Put(t, "/etc/hosts", string(b), 0o640)
			}
			config := render(t, r.renderer, rich(t, r.target))
			packed, err := envelope.Wrapper{}.Wrap(delivery.Payload{Format: r.renderer.Format(), Data: secret.New(config)},
				delivery.Envelope{Gzip: true})
			if err != nil {
				t.Fatal(err)
			}
			if packed.Data.Len() >= len(config) {
				t.Errorf("%d bytes became %d", len(config), packed.Data.Len())
			}
			m.mustBoot(t, r.engine, packed.Data.Reveal())
			m.checkFiles(t)
			m.checkTree(t)
			m.checkAccounts(t)
			m.checkUnits(t)
		})
	}
}
