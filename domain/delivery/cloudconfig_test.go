package delivery_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/delivery"
)

func TestCloudConfigPasses(t *testing.T) {
	cases := map[string]struct {
		reason string
		config delivery.CloudConfig
		want   map[string]bool
	}{
		"whole": {"the zero value passes every key", delivery.CloudConfig{}, map[string]bool{"bootcmd": true, "ntp": true}},
		"lost": {
			"only the lost key does not arrive",
			delivery.CloudConfig{Lost: []string{"bootcmd"}},
			map[string]bool{"bootcmd": false, "ntp": true},
		},
		"kept": {
			"only the kept key arrives",
			delivery.CloudConfig{Kept: []string{"runcmd"}},
			map[string]bool{"runcmd": true, "ntp": false},
		},
	}
	for name, c := range cases {
		for key, want := range c.want {
			if got := c.config.Passes(key); got != want {
				t.Errorf("%s: %s: %t, want %t: %s", name, key, got, want, c.reason)
			}
		}
	}
}

func TestPlaceholdersFind(t *testing.T) {
	all := delivery.Placeholders{`\{\{\s*name\s*\}\}`, `ID`}
	for text, want := range map[string][][]int{
		"":                      nil,
		"name":                  nil,
		"ID {{ name }}{{name}}": {{0, 2}, {3, 13}, {13, 21}},
	} {
		if diff := cmp.Diff(want, all.Find([]byte(text))); diff != "" {
			t.Errorf("%q: (-want +got):\n%s", text, diff)
		}
	}
}
