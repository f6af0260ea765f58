package delivery_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
)

func TestPlugins(t *testing.T) {
	digest, ptp := strings.Repeat("0a", 32), "machineadm-timesync-plugin-ptp"
	cases := map[string]struct {
		reason string
		mode   delivery.Mode
		pins   []delivery.PluginPin
		want   []string
	}{
		"pinned": {"each type has its prefix", delivery.ModeAgent, []delivery.PluginPin{
			{ptp, digest},
			{"machineadm-document-plugin-x_1.2", digest},
		}, nil},
		"native": {"it is not started", delivery.ModeNative, []delivery.PluginPin{{ptp, digest}}, []string{
			"error: spec.delivery.plugins: plugins apply only with the agent; use the mode Agent",
		}},
		"twice": {"one digest is wrong", delivery.ModeAgent, []delivery.PluginPin{{ptp, digest}, {ptp, digest}}, []string{
			"error: spec.delivery.plugins[1].name: machineadm-timesync-plugin-ptp is pinned twice; keep one of the pins",
		}},
		"no digest": {
			"upper case is no digest of sha256sum", delivery.ModeAgent,
			[]delivery.PluginPin{{ptp, strings.ToUpper(digest)}},
			[]string{
				`error: spec.delivery.plugins[0].sha256: "` + strings.ToUpper(digest) +
					`" is not a SHA-256 digest; write the 64 lower-case hexadecimal digits of sha256sum`,
			},
		},
		"a path": {
			"a plugin is in its folder", delivery.ModeAgent,
			[]delivery.PluginPin{{"machineadm-document-plugin-../x", digest}},
			[]string{name("machineadm-document-plugin-../x")},
		},
		"no name": {
			"a prefix is none", delivery.ModeAgent,
			[]delivery.PluginPin{{"machineadm-document-plugin-", digest}},
			[]string{name("machineadm-document-plugin-")},
		},
		"a flag": {
			"it reads as another", delivery.ModeAgent,
			[]delivery.PluginPin{{"machineadm-document-plugin--x", digest}},
			[]string{name("machineadm-document-plugin--x")},
		},
		"no type": {
			"it is not looked up", delivery.ModeAgent,
			[]delivery.PluginPin{{"machineadm-x", digest}},
			[]string{name("machineadm-x")},
		},
		"two words": {
			"it would be another argument", delivery.ModeAgent,
			[]delivery.PluginPin{{"machineadm-document-plugin-a b", digest}},
			[]string{name("machineadm-document-plugin-a b")},
		},
	}
	for test, c := range cases {
		t.Run(test, func(t *testing.T) {
			var got []string
			for _, f := range (delivery.Options{Mode: c.mode, Plugins: c.pins}).Check(delivery.FormatCloudInit, "",
				"spec.delivery") {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func name(n string) string {
	return `error: spec.delivery.plugins[0].name: "` + n + `" is not the name of a plugin's file; begin it with one of ` +
		strings.Join(delivery.PluginPrefixes(), ", ")
}
