// Package dist_test writes releases with hack/dist and uses them as users do: with the real kubectl, clusterctl, Helm's
// library, dpkg, rpm, sha256sum and openssl.
package dist_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

const (
	version = "v0.1.0"
	image   = "registry.example/machineadm-controller"
	// epoch is the SOURCE_DATE_EPOCH of the releases.
	epoch = "1780000000"
)

// shared is the directory of the releases.
var shared string

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	dir, err := os.MkdirTemp("", "machineadm-dist-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
	shared = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// first and second write a release each, in a nightly run all of it. Otherwise the first has the programs for one
// platform and no image, which test/clusterctl writes, and the second has only manifests.
var (
	first  = sync.OnceValues(func() (string, error) { return write("first", "linux/amd64") })
	second = sync.OnceValues(func() (string, error) { return write("second", "") })
)

func write(name, platforms string) (string, error) {
	key := filepath.Join(shared, name+".pem")
	out := filepath.Join(shared, name)
	flags := nightly.Or(nil, []string{"-platforms", platforms, "-skip-image"})
	for _, command := range [][]string{
		{filepath.Join(programs.Root(), "hack/packages.sh"), "openssl", "rpm"},
		{"openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key},
		append(append([]string{"go", "run", "./hack/dist", "-image", image, "-key", key}, flags...), version, out),
	} {
		cmd := exec.CommandContext(context.Background(), command[0], command[1:]...)
		cmd.Dir = programs.Root()
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+epoch)
		// A nightly run compares two releases, and links each of them.
		cmd.Env = append(cmd.Env, nightly.Or(nil, programs.LinkCacheOf("release"))...)
		if output, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%v: %w\n%s", command, err, output)
		}
	}
	return out, nil
}

// release returns the directory of a release.
func release(t *testing.T) string {
	t.Helper()
	out, err := first()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t *testing.T, names ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(names...))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func decode(t *testing.T, text []byte) []*unstructured.Unstructured {
	t.Helper()
	objects, err := controlplane.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// files returns the contents of all files of a release by their paths.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, relative := filepath.Rel(dir, path)
		all[name] = content
		return errors.Join(err, relative)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReleasesAreIdentical writes the release to two directories, with two keys, and compares the files of the second.
func TestReleasesAreIdentical(t *testing.T) {
	other, err := second()
	if err != nil {
		t.Fatal(err)
	}
	got, want := files(t, release(t)), files(t, other)
	for name, content := range want {
		switch {
		case strings.HasSuffix(name, ".sig"):
			if bytes.Equal(content, got[name]) {
				t.Errorf("%s is the same with another key", name)
			}
		case name == "SHA256SUMS" && !nightly.Enabled():
			// It also lists the programs, which the second release does not have.
			for line := range strings.Lines(string(content)) {
				if !strings.Contains(string(got[name]), line) {
					t.Errorf("the checksums do not contain %q", line)
				}
			}
		case !bytes.Equal(content, got[name]):
			t.Errorf("%s differs", name)
		}
	}
	if nightly.Enabled() && len(got) != len(want) {
		t.Errorf("one release has %d files, the other %d", len(got), len(want))
	}
	for name, content := range got {
		if bytes.Contains(content, []byte(shared)) || bytes.Contains(content, []byte(programs.Root()+"/")) {
			t.Errorf("%s contains a path of this machine", name)
		}
	}
	for _, name := range expected() {
		if len(got[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
}

// expected returns files of each part of a release.
func expected() []string {
	names := []string{
		"SHA256SUMS", "SHA256SUMS.sig", "install.yaml", "operator.yaml", "clusterctl.yaml",
		"monitoring/rules.yaml", "monitoring/prometheusrule.yaml", "monitoring/dashboard.json",
		"charts/machineadm-bootstrap-0.1.0.tgz", "charts/machineadm-control-plane-0.1.0.tgz",
		"charts/machineadm-hosts-0.1.0.tgz",
	}
	for _, platform := range nightly.Or(
		[]string{
			"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64",
		}, []string{"linux-amd64"}) {
		system, arch, _ := strings.Cut(platform, "-")
		suffix := ""
		if system == "windows" {
			suffix = ".exe"
		}
		names = append(names, "bin/machineadmctl-"+platform+suffix, "sbom/machineadmctl-"+platform+".spdx.json")
		if system != "darwin" {
			names = append(names, "agents/machineadm-"+platform+suffix, "sbom/machineadm-"+platform+".spdx.json")
		}
		if system == "linux" {
			rpm := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]
			for _, name := range []string{"machineadm", "machineadmctl"} {
				names = append(names, "packages/"+name+"_0.1.0_"+arch+".deb", "packages/"+name+"-0.1.0-1."+rpm+".rpm")
			}
			if nightly.Enabled() {
				names = append(names, "sbom/machineadm-controller-"+platform+".spdx.json")
			}
		}
	}
	if nightly.Enabled() {
		names = append(names, "machineadm-controller.tar", "image/index.json")
	}
	return names
}
