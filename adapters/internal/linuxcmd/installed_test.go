package linuxcmd_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
)

// TestSatisfied runs the query and the shell condition with stubs that print what is installed: the agent and the
// bootstrap program must agree. A stub fails if the output is empty, except for rpm -qa.
func TestSatisfied(t *testing.T) {
	const apt, dnf, zypper = osprofile.PackageManagerAPT, osprofile.PackageManagerDNF, osprofile.PackageManagerZypper
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
		"suite":           {"the suite is unknown", apt, "installed 1.0", "podman/trixie-backports", false},
		"glob":            {"other matches may be missing", apt, "installed 1.0", "python3-*", false},
		"glob, version":   {"", apt, "installed 1.0", "python3-*=1.*", false},
		"one of two":      {"another architecture is unpacked", apt, "unpacked 1.0\ninstalled 1.0", "jq", true},
		"rpm":             {"", dnf, "jq-1.0-1.x86_64", "jq", true},
		"not rpm":         {"rpm fails", dnf, "", "jq", false},
		"rpm of a series": {"", dnf, "kubelet-1.36.3-1.x86_64", "kubelet-1.36.*", true},
		"rpm, releases":   {"", dnf, "kubelet-1.36.3-1.x86_64", "kubelet-1.36.3-*", true},
		"rpm, pinned":     {"", zypper, "kubelet-1.36.3-1.x86_64", "kubelet=1.36.*", true},
		"no rpm, series":  {"rpm -qa succeeds", dnf, "", "kubelet-1.36.*", false},
		"no rpm, pinned":  {"rpm -qa succeeds", zypper, "", "kubelet=1.36.3", false},
		"rpm, glob":       {"other matches may be missing", dnf, "fuse3-3.10.2-9.x86_64", "fuse*", false},
		"rpm, later glob": {"", dnf, "python3-3.9-1.x86_64", "python3-*", false},
		"rpm, name":       {"the digits belong to the name", dnf, "java-1.8.0-openjdk-1", "java-1.8.0-openjdk*", false},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := linuxcmd.FindPackageManager(c.manager)
			dir := t.TempDir()
			stub := "#!/bin/sh\nprintf '%s\\n' '" + c.output + "'\n"
			if c.output == "" {
				stub = "#!/bin/sh\n[ \"$1\" = -qa ] && exit\necho no package\nexit 1\n"
			}
			for _, program := range []string{"dpkg-query", "rpm"} {
				if err := os.WriteFile(filepath.Join(dir, program), []byte(stub), 0o700); err != nil { //nolint:gosec // a program
					t.Fatal(err)
				}
			}
			condition := cmp.Or(m.Satisfied(machine.PackagesConfig{Install: []string{c.pkgs}}), "false")
			sh := exec.CommandContext(t.Context(), "sh", "-c", condition)
			sh.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
			if out, err := sh.CombinedOutput(); (err == nil) != c.want || len(out) > 0 {
				t.Errorf("%s: got %v and the output %q", c.reason, err, out)
			}
			query, version := m.Query(c.pkgs)
			if got := query != nil && m.Installed(c.output, version); got != c.want {
				t.Errorf("%s: Installed returns %t", c.reason, got)
			}
		})
	}
}
