// Package scenarios finds the goldens of testdata/scenarios for the tests that have them read by what reads them on a
// machine.
//
// A golden is want/<format>/<system>.<extension>. A test of this package holds that each format that has goldens has a
// test that asks for them, so that no golden goes unread.
package scenarios

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Golden is the data of one machine in one format.
type Golden struct {
	// Scenario and System are names of a folder and of an operating system, such as worker and ubuntu-24.04.
	Scenario, System string
	// Path is the golden's file.
	Path string
	Data []byte
}

// Name returns what tells the golden from others of its format.
func (g Golden) Name() string { return g.Scenario + "/" + g.System }

// Root returns the folder of the scenarios.
func Root(t *testing.T) string {
	t.Helper()
	_, file, _, known := runtime.Caller(0)
	if !known {
		t.Fatal("this file's place is not known")
	}
	return filepath.Join(filepath.Dir(file), "../../testdata/scenarios")
}

// Of returns all goldens of a format, by name. There is always one.
func Of(t *testing.T, format string) []Golden {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Root(t), "*", "want", format, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden of %s: %v", format, err)
	}
	var all []Golden
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Golden{
			Scenario: filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(f)))),
			System:   strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)),
			Path:     f, Data: data,
		})
	}
	return all
}

// One returns a golden by its format, scenario and system.
func One(t *testing.T, format, scenario, system string) Golden {
	t.Helper()
	for _, g := range Of(t, format) {
		if g.Scenario == scenario && g.System == system {
			return g
		}
	}
	t.Fatalf("no golden of %s on %s in %s", scenario, system, format)
	return Golden{}
}
