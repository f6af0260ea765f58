package linuxcmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestHasPackages runs the query and the shell condition with stubs that print what is installed: the agent and the
// bootstrap program must agree. A stub fails if the output is empty.
func TestHasPackages(t *testing.T) {
	const apt, dnf = osprofile.PackageManagerAPT, osprofile.PackageManagerDNF
	for name, c := range map[string]struct {
		reason       string
		manager      osprofile.PackageManager
		output, pkgs string
		want         bool
	}{
		"installed":       {"", apt, "installed 1.0", "jq", true},
		"unknown":         {"dpkg-query fails", apt, "", "jq", false},
		"removed":         {"its configuration is left", apt, "config-files 1.0", "jq", false},
		"unpacked":        {"it was interrupted", apt, "unpacked 1.0", "jq", false},
		"half":            {"the status is not a prefix", apt, "half-installed 1.0", "jq", false},
		"version":         {"", apt, "installed 1.0+b~2", "jq=1.0+b~2", true},
		"other version":   {"a version is requested", apt, "installed 1.0", "jq=1.1", false},
		"longer version":  {"it is not a prefix", apt, "installed 1.0.1", "jq=1.0", false},
		"regexp":          {"a dot is no other character", apt, "installed 1x0", "jq=1.0", false},
		"any":             {"a star matches any characters", apt, "installed 1:1.36.3-1", "jq=1:1.36.*", true},
		"other series":    {"", apt, "installed 1.35.3-1", "jq=1.36.*", false},
		"suite":           {"its package is installed", apt, "installed 1.0", "jq/trixie", true},
		"one of two":      {"another architecture is unpacked", apt, "unpacked 1.0\ninstalled 1.0", "jq", true},
		"rpm":             {"", dnf, "jq-1.0-1.x86_64", "jq", true},
		"not rpm":         {"rpm fails", dnf, "", "jq", false},
		"rpm of a series": {"", dnf, "kubelet-1.36.3-1.x86_64", "kubelet-1.36.*", true},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := linuxcmd.FindPackageManager(c.manager)
			dir := t.TempDir()
			stub := "#!/bin/sh\nprintf '%s\\n' '" + c.output + "'\n"
			if c.output == "" {
				stub = "#!/bin/sh\necho no package\nexit 1\n"
			}
			for _, program := range []string{"dpkg-query", "rpm"} {
				if err := os.WriteFile(filepath.Join(dir, program), []byte(stub), 0o700); err != nil { //nolint:gosec // a program
					t.Fatal(err)
				}
			}
			sh := exec.CommandContext(t.Context(), "sh", "-c", m.HasPackages([]string{c.pkgs}))
			sh.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
			if out, err := sh.CombinedOutput(); (err == nil) != c.want || len(out) > 0 {
				t.Errorf("%s: got %v and the output %q", c.reason, err, out)
			}
			_, version := m.Query(c.pkgs)
			if got := c.output != "" && m.Installed(c.output, version); got != c.want {
				t.Errorf("%s: Installed returns %t", c.reason, got)
			}
		})
	}
}
