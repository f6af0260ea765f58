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

// dpkgStub prints what is installed, and fails if nothing is.
const dpkgStub = "#!/bin/sh\n[ \"$INSTALLED\" ]||{ echo no package;exit 1;}\necho \"$INSTALLED\"\n"

// rpmStub finds the package $INSTALLED as rpm 4.18 does. -q splits its argument into a name, and a version and release
// with stars, or an architecture. --whatprovides matches a name, and java-17, which the package provides.
const rpmStub = `#!/bin/sh
nvr=${INSTALLED%.*} name=${nvr%-*} name=${name%-*} found=
case "$1 $2" in
"-q --")
	[ "$3" = "$name" ]||[ "$3" = "$name.${INSTALLED##*.}" ]&&found=1
	pattern=${3#"$name-"}
	for is in "${nvr%-*}" "$nvr" "$INSTALLED";do
		[ "$pattern" != "$3" ]&&case ${is#"$name-"} in $pattern)found=1;;esac
	done
	;;
"-q --whatprovides")case $4 in "$name"|java-17)found=1;;esac;;
esac
[ "$found" ]&&exec echo "$INSTALLED"
echo no package
exit 1
`

// TestSatisfied runs the query and the shell condition with stubs that find what is installed: the agent and the
// bootstrap program must agree.
func TestSatisfied(t *testing.T) {
	const apt, dnf = osprofile.PackageManagerAPT, osprofile.PackageManagerDNF
	const tdnf, zypper = osprofile.PackageManagerTDNF, osprofile.PackageManagerZypper
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
		"rpm, releases":   {"as provision Package names it", dnf, "kubelet-1.36.3-1.x86_64", "kubelet-1.36.3-*", true},
		"rpm, arch":       {"", dnf, "kubelet-1.36.3-1.x86_64", "kubelet-1.36.3-*.x86_64", true},
		"rpm, version":    {"", tdnf, "kubelet-1.36.3-1.x86_64", "kubelet-1.36.3", true},
		"rpm, digits":     {"it is a name", dnf, "gcc-toolset-12-12.0-1.x86_64", "gcc-toolset-12", true},
		"rpm, pinned":     {"as provision Package names it", zypper, "kubelet-1.36.3-1.x86_64", "kubelet=1.36.3", true},
		"rpm, release":    {"", zypper, "kubelet-1.36.3-1.x86_64", "kubelet=1.36.3-1", true},
		"rpm, longer":     {"the version is no prefix", zypper, "kubelet-1.36.12-1.x86_64", "kubelet=1.36.1", false},
		"rpm, other":      {"another series", dnf, "kubelet-1.35.3-1.x86_64", "kubelet-1.36.*", false},
		"no rpm, series":  {"rpm fails", dnf, "", "kubelet-1.36.*", false},
		"no rpm, pinned":  {"rpm fails", zypper, "", "kubelet=1.36.3", false},
		"rpm, glob":       {"other matches may be missing", dnf, "fuse3-3.10.2-9.x86_64", "fuse*", false},
		"rpm, later glob": {"", dnf, "python3-3.9-1.x86_64", "python3-*", false},
		"rpm, name": {
			"the digits belong to the name", dnf, "java-1.8.0-openjdk-1.8.0-1.x86_64", "java-1.8.0-openjdk*", false,
		},
		"rpm, many names": {
			"other matches may be missing", dnf, "java-17-openjdk-headless-17.0.1-1.noarch", "java-17-*", false,
		},
		"rpm, virtual":       {"its name ends with digits", dnf, "java-17-openjdk-headless-17.0.1-1.noarch", "java-17", true},
		"rpm, toolset":       {"", dnf, "gcc-toolset-12-12.0-1.noarch", "gcc-toolset-12-*", false},
		"rpm, name and arch": {"", dnf, "glibc-2.34-1.i686", "glibc.i686", true},
		"rpm, other arch":    {"", dnf, "glibc-2.34-1.x86_64", "glibc.i686", false},
		"group":              {"its packages are unknown", dnf, "@core-1.0-1.noarch", "@core", false},
		"task":               {"its packages are unknown", apt, "installed 1.0", "ssh-server^", false},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := linuxcmd.FindPackageManager(c.manager)
			dir := t.TempDir()
			for program, stub := range map[string]string{"dpkg-query": dpkgStub, "rpm": rpmStub} {
				if err := os.WriteFile(filepath.Join(dir, program), []byte(stub), 0o700); err != nil { //nolint:gosec // a program
					t.Fatal(err)
				}
			}
			run := func(name string, args ...string) (string, error) {
				command := exec.CommandContext(t.Context(), name, args...)
				command.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "INSTALLED=" + c.output}
				out, err := command.CombinedOutput()
				return string(out), err
			}
			condition := cmp.Or(m.Satisfied(machine.PackagesConfig{Install: []string{c.pkgs}}), "false")
			if out, err := run("sh", "-c", condition); (err == nil) != c.want || len(out) > 0 {
				t.Errorf("%s: got %v and the output %q", c.reason, err, out)
			}
			query, version := m.Query(c.pkgs)
			if query == nil && !c.want {
				return
			}
			out, err := run("sh", "-c", query.String())
			if got := err == nil && m.Installed(out, version); got != c.want {
				t.Errorf("%s: Installed returns %t", c.reason, got)
			}
		})
	}
}
