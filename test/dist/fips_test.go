package dist_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// TestFIPSRelease writes the variant with the Go Cryptographic Module: in a nightly run all programs for one platform,
// and otherwise the manifests. cmd/machineadm builds and runs an agent with the module.
func TestFIPSRelease(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	platforms := nightly.Or("linux/amd64", "")
	args := []string{"run", "./hack/dist", "-fips", "-skip-image", "-platforms", platforms, version, out}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = programs.Root(), append(os.Environ(), "SOURCE_DATE_EPOCH="+epoch)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if text := string(read(t, out, "install.yaml")); !strings.Contains(text,
		"image: ghcr.io/machineadm/machineadm-controller-fips:"+version) {
		t.Error("install.yaml has another image")
	}
	if platforms == "" {
		return
	}
	for _, name := range []string{"bin/machineadmctl-fips-linux-amd64", "agents-fips/machineadm-linux-amd64"} {
		info, err := buildinfo.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
			return s.Key == "GOFIPS140" && strings.HasPrefix(s.Value, "v1.0.0")
		}) {
			t.Errorf("%s has no module: %v", name, info.Settings)
		}
	}
	for _, name := range []string{"machineadm-fips_0.1.0_amd64.deb", "machineadmctl-fips-0.1.0-1.x86_64.rpm"} {
		if _, err := os.Stat(filepath.Join(out, "packages", name)); err != nil {
			t.Error(err)
		}
	}
}
