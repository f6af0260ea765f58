package ignitionv2_test

import (
	"testing"

	ignition "github.com/flatcar/ignition/config/v2_3"
	"github.com/vincent-petithory/dataurl"

	"github.com/machineadm/machineadm/adapters/render/ignitionv2"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
)

// read parses the configuration. Nothing in it may be compressed, since the engine cannot read that.
func read(t *testing.T, data []byte) ignmodeltest.Tree {
	t.Helper()
	c, entries, err := ignition.Parse(data)
	if err != nil {
		t.Fatalf("parse: %v\n%s\n%s", err, entries, data)
	}
	tree := ignmodeltest.NewTree()
	for _, f := range c.Storage.Files {
		if f.Contents.Compression != "" || f.Filesystem != "root" || f.Mode == nil {
			t.Errorf("%s: %+v", f.Path, f)
		}
		u, err := dataurl.DecodeString(f.Contents.Source)
		if err != nil {
			t.Fatal(err)
		}
		tree.Files[f.Path] += string(u.Data)
	}
	for _, u := range c.Systemd.Units {
		tree.Units[u.Name] = u.Contents
		for _, d := range u.Dropins {
			tree.Units[u.Name+"/"+d.Name] = d.Contents
		}
	}
	for _, u := range c.Passwd.Users {
		tree.Comments[u.Name] = u.Gecos
	}
	return tree
}

func FuzzRender(f *testing.F) {
	ignmodeltest.Seed(f)
	r, target := ignitionv2.New(), old()
	f.Fuzz(func(t *testing.T, path, content, user, comment, command, unit, mount string, mode uint16, flags uint8) {
		ignmodeltest.Fuzz(t, r, target, read, path, content, user, comment, command, unit, mount, mode, flags)
	})
}
