package codec_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/codec"
)

// TestReleasedConfigurationsAreRead reads configurations as older programs wrote them, with each kind and nasty texts
// in each field. These files are never rewritten: what cannot be read any more, or means something else, breaks
// machines that have such a file.
func TestReleasedConfigurationsAreRead(t *testing.T) {
	released, err := filepath.Glob("testdata/released/*.yaml")
	if err != nil || len(released) == 0 {
		t.Fatalf("no configuration: %v", err)
	}
	for _, name := range released {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			docs, findings := codec.Codec{}.Decode(t.Context(), text)
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			var kinds []string
			for _, d := range docs {
				kinds = append(kinds, string(d.Kind()))
			}
			if !slices.Contains(kinds, "NodeConfig") || len(kinds) < 27 {
				t.Errorf("the file has the kinds %v", kinds)
			}
			again, err := codec.Codec{}.Encode(docs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(text), string(again)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
