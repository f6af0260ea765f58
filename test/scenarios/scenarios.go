// Package scenarios finds the goldens of testdata/scenarios for the tests that have them read by what reads them on a
// machine.
//
// A golden is want/<format>/<system>.<extension>. A test of this package holds that each format that has goldens has a
// test that asks for them, so that no golden goes unread.
package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// Golden is the data of one machine in one format.
type Golden struct {
	// Scenario and System are names of a folder and of an operating system, such as worker and ubuntu-24.04.
	Scenario, System string
	// Path is the golden's file.
	Path string
	Data []byte
}

// Name returns a name that is unique among the goldens of a format.
func (g Golden) Name() string { return g.Scenario + "/" + g.System }

// Root returns the folder of the scenarios.
func Root(t *testing.T) string {
	t.Helper()
	return filepath.Join(programs.Root(), "testdata/scenarios")
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

// Sample returns all goldens of a format in a nightly run, and one of each scenario otherwise, with the operating
// systems in turn.
func Sample(t *testing.T, format string) []Golden {
	t.Helper()
	all := Of(t, format)
	if nightly.Enabled() {
		return all
	}
	var names []string
	scenarios := map[string][]Golden{}
	for _, g := range all {
		if scenarios[g.Scenario] == nil {
			names = append(names, g.Scenario)
		}
		scenarios[g.Scenario] = append(scenarios[g.Scenario], g)
	}
	var sample []Golden
	for i, name := range names {
		systems := scenarios[name]
		sample = append(sample, systems[i%len(systems)])
	}
	return sample
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
