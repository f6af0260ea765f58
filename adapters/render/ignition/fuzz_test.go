package ignition_test

import (
	"bytes"
	"testing"

	"github.com/coreos/ignition/v2/config/v3_6"
	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/render/ignition"
	"github.com/machineadm/machineadm/adapters/render/internal/ignmodel/ignmodeltest"
)

// read parses with the parser of the configuration's own version. It may warn of a unit that nothing starts.
func read(t *testing.T, data []byte) ignmodeltest.Tree {
	t.Helper()
	c, entries, err := v3_6.ParseCompatibleVersion(data)
	if err != nil {
		t.Fatalf("parse: %v\n%s\n%s", err, entries.String(), data)
	}
	return ignmodeltest.Read(t, c)
}

func FuzzRender(f *testing.F) {
	ignmodeltest.Seed(f)
	r, target := ignition.New(), ignmodeltest.Target("flatcar", "")
	f.Fuzz(func(t *testing.T, path, content, user, comment, command, unit, mount string, mode uint16, flags uint8) {
		ignmodeltest.Fuzz(t, r, target, read, path, content, user, comment, command, unit, mount, mode, flags)
	})
}

// TestEveryByte sends each byte alone, and all of them compressibly often.
func TestEveryByte(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	contents := map[string]string{"/all": string(all), "/often": string(bytes.Repeat(all, 64)), "/empty": ""}
	for i := range all {
		contents["/one-"+string(rune('a'+i/16))+string(rune('a'+i%16))] = string(all[i : i+1])
	}
	p := ignmodeltest.Files(ignmodeltest.Target("flatcar", ""), contents)
	tree := read(t, ignmodeltest.Render(t, ignition.New(), p))
	for path, want := range contents {
		if diff := cmp.Diff(want, tree.Files[path]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}
