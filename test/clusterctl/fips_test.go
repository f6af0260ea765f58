package clusterctl_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/fips"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// fipsManager returns the path of a controller in FIPS 140-3 mode: in a nightly run that of a FIPS release, and
// otherwise a script that starts the usual one in the mode.
func fipsManager(t *testing.T, usual string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "manager")
	if !nightly.Enabled() {
		script := "#!/bin/sh\nGODEBUG=fips140=on exec " + usual + " \"$@\"\n"
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s", "-o", path, "./cmd/machineadm-controller")
	build.Dir, build.Env = programs.Root(), append(os.Environ(), "GOFIPS140="+fips.Module, "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return path
}

// inFIPSMode checks that the managers of machineadm run in FIPS 140-3 mode.
func (s *site) inFIPSMode() {
	s.t.Helper()
	s.Expect(s.ours).To(HaveLen(len(ourNamespaces())))
	for _, process := range s.ours {
		log, err := os.ReadFile(process.Log)
		s.Expect(err).NotTo(HaveOccurred())
		s.Expect(string(log)).To(ContainSubstring("fipsMode=true"))
	}
}

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
