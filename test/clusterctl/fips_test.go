package clusterctl_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/fips"
)

// usesModule checks that a program contains the module, and does not start without it.
func usesModule(t *testing.T, program string) {
	t.Helper()
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "GOFIPS140" && strings.HasPrefix(s.Value, fips.Module)
	}) {
		t.Errorf("%s was built with %v", program, info.Settings)
	}
	cmd := exec.CommandContext(t.Context(), program, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=off")
	if output, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(output), "and GODEBUG disables it") {
		t.Errorf("%s without the module: %v\n%s", program, err, output)
	}
}
