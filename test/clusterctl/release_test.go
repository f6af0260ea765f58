package clusterctl_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/programs"
)

// TestReleaseRefusesVersions holds that no release has a version that clusterctl would refuse: it then refuses the
// upgrade plan of every provider in the management cluster.
func TestReleaseRefusesVersions(t *testing.T) {
	for version, want := range map[string]string{
		"v0.2.0":     "releaseSeries of config/clusterctl/metadata.yaml does not list 0.2",
		"v1.1.0":     "does not list 1.1",
		"v0.11.0":    "does not list 0.11",
		"0.1.0":      "is not a semantic version",
		"v0.1":       "is not a semantic version",
		"v0.1.0/../": "is not a semantic version",
	} {
		out := filepath.Join(t.TempDir(), "out")
		text, err := exec.Command(filepath.Join(programs.Root(), "hack/release.sh"), version, out).CombinedOutput()
		if err == nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: got %v and %q, want %q", version, err, text, want)
		}
		if files, _ := filepath.Glob(out + "/*"); len(files) > 0 {
			t.Errorf("%s: the refused release wrote %v", version, files)
		}
	}
}
