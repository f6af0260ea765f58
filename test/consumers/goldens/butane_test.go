package goldens_test

import (
	"testing"

	translator "github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/coreos/ignition/v2/config/v3_6/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/machineadm/machineadm/test/scenarios"
)

// TestButaneMatchesIgnition translates each golden and compares it with the golden that the machine boots from.
func TestButaneMatchesIgnition(t *testing.T) {
	for _, golden := range scenarios.Of(t, "butane") {
		t.Run(golden.Name(), func(t *testing.T) {
			data, entries, err := translator.TranslateBytes(golden.Data, common.TranslateBytesOptions{Raw: true})
			if err != nil || len(entries.Entries) > 0 {
				t.Fatalf("%v\n%s", err, entries.String())
			}
			if diff := cmp.Diff(merged(t, scenarios.One(t, "ignition", golden.Scenario, golden.System).Data), merged(t, data),
				cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-ignition +butane:\n%.4000s", diff)
			}
		})
	}
}

// merged returns a configuration with what the engine would merge, without versions and encodings.
func merged(t *testing.T, data []byte) types.Config {
	t.Helper()
	c, entries, err := v3_6.ParseCompatibleVersion(data)
	if err != nil || len(entries.Entries) > 0 {
		t.Fatalf("%v\n%s", err, entries.String())
	}
	children := c.Ignition.Config.Merge
	c.Ignition.Config.Merge = nil
	for _, child := range children {
		c = v3_6.Merge(c, merged(t, decode(t, &child)))
	}
	for i := range c.Storage.Files {
		f := &c.Storage.Files[i]
		decode(t, &f.Contents)
		for k := range f.Append {
			decode(t, &f.Append[k])
		}
	}
	c.Ignition.Version = ""
	return c
}

// decode puts the bytes of a data URL in the place of their encoding, and returns them.
func decode(t *testing.T, r *types.Resource) []byte {
	t.Helper()
	if r.Source == nil || len(*r.Source) < 5 || (*r.Source)[:5] != "data:" {
		return nil
	}
	c := contents{Source: *r.Source}
	if r.Compression != nil {
		c.Compression = *r.Compression
	}
	b := c.bytes(t)
	source := string(b)
	*r = types.Resource{Source: &source}
	return b
}
