package butane_test

import (
	"testing"

	"github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/ignition/v2/config/v3_6"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
)

// read has Butane translate the configuration and parses what comes of it.
func read(t *testing.T, data []byte) ignmodeltest.Tree {
	t.Helper()
	options := common.TranslateBytesOptions{Raw: true}
	options.NoResourceAutoCompression = true
	translated, entries, err := config.TranslateBytes(data, options)
	if err != nil {
		t.Fatalf("translate: %v\n%s\n%s", err, entries.String(), data)
	}
	c, entries, err := v3_6.ParseCompatibleVersion(translated)
	if err != nil {
		t.Fatalf("parse: %v\n%s\n%s", err, entries.String(), translated)
	}
	return ignmodeltest.Read(t, c)
}

func FuzzRender(f *testing.F) {
	ignmodeltest.Seed(f)
	r, target := butane.New(), ignmodeltest.Target("flatcar", "")
	f.Fuzz(func(t *testing.T, path, content, user, comment, command, unit, mount string, mode uint16, flags uint8) {
		ignmodeltest.Fuzz(t, r, target, read, path, content, user, comment, command, unit, mount, mode, flags)
	})
}
