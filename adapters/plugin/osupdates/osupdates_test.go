package osupdates_test

import (
	"testing"

	"github.com/machineadm/machineadm/adapters/plugin/internal/plugintest"
	"github.com/machineadm/machineadm/adapters/plugin/osupdates"
	"github.com/machineadm/machineadm/domain/machine"
)

func TestExpand(t *testing.T) {
	cases := map[string]struct {
		reason, distribution string
		enabled              bool
		want                 string
	}{
		"flatcar": {
			reason: "both the updater and the one that reboots", distribution: "flatcar",
			want: "unit: mask unit update-engine.service\nunit: mask unit locksmithd.service",
		},
		"fedora-coreos": {
			reason: "zincati does both", distribution: "fedora-coreos",
			want: "unit: mask unit zincati.service",
		},
		"enabled": {reason: "the user wants updates", distribution: "flatcar", enabled: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := machine.OSUpdatesConfig{Enabled: tc.enabled}
			actions, r := plugintest.Expand(t, osupdates.New(), plugintest.Target(t, tc.distribution), c)
			plugintest.Check(t, tc.reason, tc.want, actions, r)
		})
	}
	plugintest.RefusesOtherKinds(t, osupdates.New(), plugintest.Target(t, "flatcar"))
}
