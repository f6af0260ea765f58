package migrate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/adapters/kubernetes/migrate"
	"github.com/machineadm/machineadm/test/golden"
)

// TestGoldens converts each testdata/*.in.yaml. The first line of an input can contain the operating system.
func TestGoldens(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.in.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("%d inputs, %v", len(inputs), err)
	}
	for _, name := range inputs {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var o migrate.Options
			if first, _, _ := strings.Cut(string(in), "\n"); strings.HasPrefix(first, "# os: ") {
				o.OS = migrate.ParseOS(strings.TrimPrefix(first, "# os: "))
			}
			result, err := migrate.Convert(t.Context(), in, o)
			if err != nil {
				t.Fatal(err)
			}
			base := strings.TrimSuffix(name, ".in.yaml")
			golden.File(t, base+".out.yaml", result.Manifests)
			var lines strings.Builder
			for _, l := range result.Report {
				fmt.Fprintf(&lines, "%d: %s: %s: %s: %s\n", l.Line, l.Outcome, l.Object, l.Field, l.Message)
			}
			golden.File(t, base+".report.txt", []byte(lines.String()))
		})
	}
}
