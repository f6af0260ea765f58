package ignmodeltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// Render returns the payload, or ends the test.
func Render(t testing.TB, r ports.Renderer, p plan.Plan) []byte {
	t.Helper()
	rendering, findings, err := r.Render(p)
	if err != nil || findings.HasErrors() {
		t.Fatalf("Render: %v\n%s", err, findings)
	}
	if len(rendering.Says) != len(p.Steps) {
		t.Fatalf("Render says %d of %d steps", len(rendering.Says), len(p.Steps))
	}
	return rendering.Payload.Data.Reveal()
}

// Version returns the target for which a version of the format is asked for.
func Version(t osprofile.Target, v string) osprofile.Target {
	t.FormatVersion = v
	return t
}

// CompareGolden compares with testdata/name, which UPDATE=1 rewrites unless CI=true.
func CompareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	text := strings.TrimSuffix(string(got), "\n")
	if os.Getenv("UPDATE") != "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("goldens are not rewritten when CI=true")
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSuffix(string(want), "\n"), text); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
