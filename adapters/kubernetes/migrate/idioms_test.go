package migrate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
	"github.com/machineadm/machineadm/test/golden"
)

// TestIdioms checks that the goldens contain each idiom, and generates the table in the guide.
func TestIdioms(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.in.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var lines []migrate.Line
	for _, name := range inputs {
		in, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		result, err := migrate.Convert(t.Context(), in, migrate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, result.Report...)
	}
	table := "| text | translation |\n|---|---|\n"
	for _, i := range migrate.Idioms() {
		if !slices.ContainsFunc(lines, i.Reported) {
			t.Errorf("no golden has %s", i.Text)
		}
		table += fmt.Sprintf("| %s | %s |\n", i.Text, i.Result)
	}
	const guide, heading = "../../../docs/guides/convert.md", "## Habits that are translated\n"
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	before, section, found := strings.Cut(string(text), heading)
	introduction, _, hasTable := strings.Cut(section, "\n|")
	_, after, hasNext := strings.Cut(section, "\n## ")
	if !found || !hasTable || !hasNext {
		t.Fatal("the guide has no table of habits")
	}
	golden.File(t, guide, []byte(before+heading+introduction+"\n"+table+"\n## "+after))
}
