package golden_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/test/golden"
)

func TestUpdateRemovesUnusedGoldens(t *testing.T) {
	cases := map[string]struct {
		reason, run, skip string
		removed           bool
	}{
		"all":  {reason: "every test has run", removed: true},
		"run":  {reason: "a test that did not run may ask for it", run: "TestX"},
		"skip": {reason: "so may one that was skipped", skip: "TestY"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			stale := filepath.Join(t.TempDir(), "stale")
			if err := os.WriteFile(stale, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("CI", "")
			t.Setenv("UPDATE", "1")
			set(t, "test.run", tc.run)
			set(t, "test.skip", tc.skip)
			t.Run("asks", func(t *testing.T) {
				golden.Open(t, filepath.Dir(stale)).Compare(t, "asked", []byte("text"))
			})
			if _, err := os.Stat(stale); errors.Is(err, fs.ErrNotExist) != tc.removed {
				t.Errorf("%s: %v", tc.reason, err)
			}
			if got, err := os.ReadFile(filepath.Join(filepath.Dir(stale), "asked")); err != nil || string(got) != "text" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// set gives a flag of go test a value until the test ends.
func set(t *testing.T, name, value string) {
	t.Helper()
	f := flag.Lookup(name)
	before := f.Value.String()
	t.Cleanup(func() {
		if err := f.Value.Set(before); err != nil {
			t.Error(err)
		}
	})
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
}
