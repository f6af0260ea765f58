package clusterctl_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

const page = "docs/install.md"

// fakes are the programs that the commands of the page run in place of those for clusters and registries. A release
// exists already, so that make only prints its commands; clusterctl prints what it would install; kubectl refuses files
// that do not exist.
func fakes(clusterctl string) map[string]string {
	return map[string]string{
		"make": `exec ` + "/usr/bin/make" + ` --dry-run -C "$ROOT" "$@"`,
		"clusterctl": `if [ "$1" = init ]; then
  config="$2 $3"; shift 3
  while [ $# -gt 0 ]; do ` + clusterctl + ` generate provider $config "$1" "$2" || exit; shift 2; done
  exit
fi
exec ` + clusterctl + ` "$@"`,
		"kubectl": `[ "$1 $2" = "apply -f" ] && exec test -s "$3"; echo "no $1 here" >&2; exit 1`,
		"skopeo": `case "$2 $3 $4 $5" in "--all --preserve-digests oci-archive:out/machineadm-controller.tar:v0.1.0 ` +
			`docker://"*) ;; *) exit 1 ;; esac`,
	}
}

var (
	consolePattern  = regexp.MustCompile("(?s)```console\n(.*?)```")
	filePattern     = regexp.MustCompile("(?s)```sh ([a-z.]+)\n(.*?)```")
	variablePattern = regexp.MustCompile("(?m)^\\| `([A-Z_0-9]+)` \\|.*\\| ([^|]*) \\|$")
)

func installPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs.Root(), page))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// workplace returns a directory in which the page's commands find a release, the page's files and the programs that
// they name.
func workplace(t *testing.T, r repository) (dir, bin string) {
	t.Helper()
	dir, bin = t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Dir(r.config), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, m := range filePattern.FindAllStringSubmatch(installPage(t), -1) {
		write(filepath.Join(dir, m[1]), m[2])
	}
	for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
		write(filepath.Join(dir, name), name)
	}
	for name, script := range fakes(r.program) {
		write(filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
	}
	if err := programs.Install(t.Context(), bin, "machineadmctl"); err != nil {
		t.Fatal(err)
	}
	return dir, bin
}

// TestInstallPageIsExecuted runs the commands of the page one after the other, in one shell.
func TestInstallPageIsExecuted(t *testing.T) {
	debian.Packages(t, "squashfs-tools", "make")
	dir, bin := workplace(t, release(t))
	script := "set -euo pipefail\n"
	for _, m := range consolePattern.FindAllStringSubmatch(installPage(t), -1) {
		for line := range strings.Lines(m[1]) {
			if command, is := strings.CutPrefix(line, "$ "); is {
				script += command
			}
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir(),
		"ROOT="+programs.Root(),
		"CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off", "MAKEFLAGS=")
	var output bytes.Buffer
	shell.Stdout, shell.Stderr = &output, &output
	if err := shell.Run(); err != nil {
		t.Fatalf("%v\n%s", err, output.String())
	}
	for _, want := range []string{
		"hack/release.sh v0.1.0 out registry.example/machineadm-controller:v0.1.0", "hack/image.sh v0.1.0 out",
		"name: machineadm-controller-manager", "name: machineadm-control-plane-controller-manager",
		"kubernetes-v1.36.3-x86-64.raw",
	} {
		if !strings.Contains(output.String(), want) {
			t.Errorf("there is no output %q", want)
		}
	}
	listed := debian.Output(t, "unsquashfs", "-lls", filepath.Join(dir, "kubernetes-v1.36.3-x86-64.raw")) + "\n"
	for _, file := range []string{
		"usr/bin/kubelet", "usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf",
		"usr/lib/extension-release.d/extension-release.kubernetes",
	} {
		if !strings.Contains(listed, "squashfs-root/"+file+"\n") {
			t.Errorf("the extension has no %s:\n%s", file, listed)
		}
	}
}

// TestInstallPageHasEachVariable holds the page's tables to what clusterctl finds in the release: each variable, and
// its default.
func TestInstallPageHasEachVariable(t *testing.T) {
	r := release(t)
	documented := map[string]string{}
	for _, m := range variablePattern.FindAllStringSubmatch(installPage(t), -1) {
		documented[m[1]] = m[2]
	}
	found := map[string]bool{}
	for template := range templates() {
		out, output, err := r.output(t, nil, append(r.generate(template)[:5:5], "--target-namespace", "default",
			"--list-variables")...)
		if err != nil {
			t.Fatal(err, output)
		}
		listed, optional, _ := strings.Cut(string(out), "Optional Variables:")
		for name, value := range variablesOf(listed, "required") {
			found[name] = true
			if documented[name] != value {
				t.Errorf("%s: %s is required; the page has %q", template, name, documented[name])
			}
		}
		for name, value := range variablesOf(optional, "") {
			found[name] = true
			if documented[name] != value && documented[name] != "set by the command" {
				t.Errorf("%s: %s is %q by default; the page has %q", template, name, value, documented[name])
			}
		}
	}
	described := string(r.run(t, "generate", "provider", "--bootstrap", "machineadm:"+version, "--describe"))
	for name := range documented {
		if !found[name] && !strings.Contains(described, "  - "+name+"\n") {
			t.Errorf("the page has %s, and nothing asks for it", name)
		}
	}
}

var listPattern = regexp.MustCompile(`(?m)^  - ([A-Z_0-9]+) *(?:\(defaults to "?(.*?)"?\))?$`)

// variablesOf returns the names in a list of clusterctl's and their defaults; without one it is the given.
func variablesOf(list, without string) map[string]string {
	all := map[string]string{}
	for _, m := range listPattern.FindAllStringSubmatch(list, -1) {
		all[m[1]] = m[2]
		if m[2] == "" {
			all[m[1]] = without
		}
	}
	return all
}
