package dist_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

var consolePattern = regexp.MustCompile("(?s)```console\n(.*?)```")

// programsOfThePage are the programs that the page's commands run. The release exists already, so that make only prints
// its commands. clusterctl prints what it would install. dpkg and rpm install to another root. helm and skopeo check
// their arguments: TestChartsRenderTheSame renders the charts, and the nightly run writes the image.
func programsOfThePage(t *testing.T, root string) map[string]string {
	return map[string]string{
		"make":    `exec /usr/bin/make --dry-run -C "$ROOT" "$@"`,
		"kubectl": `exec ` + debian.Tool(t, "kubectl") + ` "$@"`,
		"clusterctl": `[ "$1 $2 $4 $6" = "init --config --bootstrap --control-plane" ] || exit 1
` + debian.Tool(t, "clusterctl") + ` generate provider --config "$3" --bootstrap "$5" &&
exec ` + debian.Tool(t, "clusterctl") + ` generate provider --config "$3" --control-plane "$7"`,
		"dpkg": `exec /usr/bin/dpkg --root="` + root + `" --force-not-root "$@"`,
		"rpm":  `exec /usr/bin/rpm --root="` + root + `" "$@"`,
		"helm": `[ "$1" = install ] && test -s "$3"`,
		"skopeo": `[ "$1 $2 $3" = "copy --all --preserve-digests" ] && ` +
			`[ "$4 $5" = "oci-archive:dist/machineadm-controller.tar:v0.1.0 docker://` + image + `:v0.1.0" ]`,
	}
}

// workplace returns a directory in which the commands of the page find the release and its key, and one with programs.
func workplace(t *testing.T, root string) (dir, bin string) {
	t.Helper()
	dir, bin = t.TempDir(), t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "dist"), os.DirFS(release(t))); err != nil {
		t.Fatal(err)
	}
	debian.Output(t, "openssl", "pkey", "-in", filepath.Join(shared, "first.pem"), "-pubout", "-out",
		filepath.Join(dir, "key.pub"))
	for name, script := range programsOfThePage(t, root) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir, bin
}

// cluster starts an API server with the kinds of the Cluster API Operator, and returns the path of its kubeconfig.
func cluster(t *testing.T) string {
	t.Helper()
	// Stop searches the servers for secrets, which must not have ended with the test's context.
	c, err := controlplane.Start(context.WithoutCancel(t.Context()), controlplane.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	operator, err := controlplane.ModuleDir(t.Context(), "tools/cluster-api-operator", "sigs.k8s.io/cluster-api-operator")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.InstallCRDs(nil, filepath.Join(operator, "config", "crd", "bases")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := c.WriteKubeconfig(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// packageRoot returns a root in which dpkg has installed nothing.
func packageRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestPageIsExecuted runs the commands of docs/release.md one after the other, in one shell. kubectl applies the
// manifests to a real API server.
func TestPageIsExecuted(t *testing.T) {
	debian.Packages(t, "make", "openssl", "rpm")
	root := packageRoot(t)
	dir, bin := workplace(t, root)
	script := "set -euo pipefail\n"
	for _, m := range consolePattern.FindAllSubmatch(read(t, programs.Root(), "docs/release.md"), -1) {
		for line := range strings.Lines(string(m[1])) {
			if command, is := strings.CutPrefix(line, "$ "); is {
				script += command
			}
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "ROOT="+programs.Root(),
		"KUBECONFIG="+cluster(t), "CLUSTERCTL_DISABLE_VERSIONCHECK=true", "GOPROXY=off", "MAKEFLAGS=")
	var output bytes.Buffer
	shell.Stdout, shell.Stderr = &output, &output
	if err := shell.Run(); err != nil {
		t.Fatalf("%v\n%s", err, output.String())
	}
	for _, want := range []string{
		"go run ./hack/dist -image registry.example/machineadm-controller -key key.pem v0.1.0 dist", "Verified OK",
		"deployment.apps/machineadm-controller-manager serverside-applied",
		"deployment.apps/machineadm-control-plane-controller-manager serverside-applied",
		"deployment.apps/machineadm-hosts-controller-manager serverside-applied",
		"bootstrapprovider.operator.cluster.x-k8s.io/machineadm serverside-applied",
		"controlplaneprovider.operator.cluster.x-k8s.io/machineadm serverside-applied",
		"infrastructureprovider.operator.cluster.x-k8s.io/machineadm-hosts serverside-applied",
		"name: machineadm-control-plane-controller-manager",
	} {
		if !strings.Contains(output.String(), want) {
			t.Errorf("there is no output %q", want)
		}
	}
	if got := debian.Output(t, filepath.Join(root, "usr/bin/machineadmctl"), "version"); !strings.Contains(got, version) {
		t.Errorf("the installed program prints %q", got)
	}
}

// TestPackages lists the files of each package for this platform with dpkg and rpm.
func TestPackages(t *testing.T) {
	debian.Packages(t, "rpm")
	for _, name := range []string{"machineadm", "machineadmctl"} {
		path := filepath.Join(release(t), "packages", name)
		root := packageRoot(t)
		debian.Output(t, "dpkg", "--root="+root, "--force-not-root", "--install", path+"_0.1.0_amd64.deb")
		if got := debian.Output(t, filepath.Join(root, "usr/bin", name), "version"); !strings.Contains(got, version) {
			t.Errorf("the installed %s prints %q", name, got)
		}
		documents := "/usr/share/doc/" + name
		want := []string{"/usr/bin/" + name, documents + "/THIRD-PARTY-LICENSES.txt", documents + "/copyright"}
		listed := debian.Output(t, "dpkg-query", "--admindir="+root+"/var/lib/dpkg", "--listfiles", name)
		listed += "\n" + debian.Output(t, "rpm", "--query", "--list", "--package", path+"-0.1.0-1.x86_64.rpm")
		for _, file := range want {
			if n := strings.Count(listed+"\n", file+"\n"); n != 2 {
				t.Errorf("%d packages of %s contain %s:\n%s", n, name, file, listed)
			}
		}
		debian.Output(t, "rpm", "--root="+t.TempDir(), "--checksig", "--nosignature", path+"-0.1.0-1.x86_64.rpm")
	}
	if nightly.Enabled() {
		for _, file := range []string{"machineadm_0.1.0_arm64.deb", "machineadmctl_0.1.0_arm64.deb"} {
			if got := debian.Output(t, "dpkg-deb", "--field", filepath.Join(release(t), "packages", file),
				"Architecture"); got != "arm64" {
				t.Errorf("%s is for %s", file, got)
			}
		}
	}
}

// TestChecksumsFindChanges changes a file of a copy of the release.
func TestChecksumsFindChanges(t *testing.T) {
	dir, _ := workplace(t, t.TempDir())
	path := filepath.Join(dir, "dist", "install.yaml")
	if err := os.WriteFile(path, append(read(t, path), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--quiet", "-c", "SHA256SUMS")
	check.Dir = filepath.Join(dir, "dist")
	output, err := check.CombinedOutput()
	if err == nil || !strings.Contains(string(output), "install.yaml: FAILED\n") {
		t.Errorf("got %v and %s", err, output)
	}
}
