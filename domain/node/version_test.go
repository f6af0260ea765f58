package node_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/node"
)

func TestCheckUpgrade(t *testing.T) {
	cases := map[string]struct {
		reason, from, to string
		allowed          bool
	}{
		"same":         {"nothing changes", "v1.36.3", "v1.36.3", true},
		"patch":        {"patch versions are free", "v1.36.3", "v1.36.9", true},
		"patch back":   {"patch versions are free", "v1.36.3", "v1.36.0", true},
		"minor":        {"kubeadm upgrades by one", "v1.35.3", "v1.36.0", true},
		"two minors":   {"kubeadm upgrades by one", "v1.34.3", "v1.36.0", false},
		"minor back":   {"there are no downgrades", "v1.36.3", "v1.35.9", false},
		"major":        {"no path exists", "v1.36.3", "v2.0.0", false},
		"major back":   {"there are no downgrades", "v2.0.0", "v1.36.0", false},
		"not versions": {"another check reports them", "x", "v1.36.0", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := node.CheckUpgrade(c.from, c.to); (got == "") != c.allowed {
				t.Errorf("%s: got %q", c.reason, got)
			}
		})
	}
}
