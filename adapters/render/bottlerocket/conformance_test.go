package bottlerocket_test

import (
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/machineadm/machineadm/adapters/render/bottlerocket"
	"github.com/machineadm/machineadm/ports/portstest"
)

func view(t testing.TB, payload []byte) func(place string) string {
	t.Helper()
	var root map[string]any
	if err := toml.Unmarshal(payload, &root); err != nil {
		t.Fatal(err)
	}
	return portstest.Tree(root)
}

func TestConformance(t *testing.T) {
	portstest.Renderer(t, bottlerocket.Renderer{}, planOf().Target, view)
}
