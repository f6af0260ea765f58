package butane_test

import (
	"testing"

	"github.com/coreos/butane/config"
	"github.com/coreos/butane/config/common"
	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/coreos/ignition/v2/config/v3_6/types"
	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/adapters/render/butane"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
)

func bytesOf(t *testing.T, r types.Resource) string {
	t.Helper()
	if r.Source == nil {
		return ""
	}
	u, err := dataurl.DecodeString(*r.Source)
	if err != nil {
		t.Fatal(err)
	}
	return string(u.Data)
}

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
	tree := ignmodeltest.NewTree()
	for _, f := range c.Storage.Files {
		contents := bytesOf(t, f.Contents)
		for _, a := range f.Append {
			contents += bytesOf(t, a)
		}
		tree.Files[f.Path] = contents
	}
	for _, u := range c.Systemd.Units {
		if u.Contents != nil {
			tree.Units[u.Name] = *u.Contents
		}
		for _, d := range u.Dropins {
			tree.Units[u.Name+"/"+d.Name] = *d.Contents
		}
	}
	for _, u := range c.Passwd.Users {
		if u.Gecos != nil {
			tree.Comments[u.Name] = *u.Gecos
		}
	}
	return tree
}

func FuzzRender(f *testing.F) {
	ignmodeltest.Seed(f)
	r, target := butane.New(), ignmodeltest.Target("flatcar", "")
	f.Fuzz(func(t *testing.T, path, content, user, comment, command, unit, mount string, mode uint16, flags uint8) {
		ignmodeltest.Fuzz(t, r, target, read, path, content, user, comment, command, unit, mount, mode, flags)
	})
}
