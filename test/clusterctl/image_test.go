package clusterctl_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/fips"
	"github.com/machineadm/machineadm/test/nightly"
	"github.com/machineadm/machineadm/test/programs"
)

// platform is the one that the image is made for here, that of the machine.
const platform = "linux/amd64"

// usual is the GOFIPS140 of the usual release.
const usual = "off"

// unpacked makes the controller's image with a cryptographic module or off, has skopeo take it out of its archive, and
// returns the root that its layers make.
func unpacked(t *testing.T, module string) (root string, config json.RawMessage) {
	t.Helper()
	debian.Packages(t, "skopeo")
	out, bin := t.TempDir(), t.TempDir()
	// The system has neither dpkg nor apt.
	for _, name := range []string{"dpkg-query", "apt-get"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 127\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The machine that writes a release may be hardened.
	build := exec.CommandContext(t.Context(), "bash", "-c", `umask 077 && exec "$@"`, "image",
		filepath.Join(programs.Root(), "hack", "image.sh"), version, out)
	build.Env = append(os.Environ(), "PLATFORMS="+platform, "GZIP=-1", "GOFIPS140="+module,
		"PATH="+bin+":"+os.Getenv("PATH"))
	build.Env = append(build.Env, programs.LinkCacheOf("release")...)
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("image.sh: %v\n%s", err, output)
	}
	created := manager(t, components(t, renderedTo(t, out, "registry.example/controller"), "")).
		Spec.Template.Spec.Containers[0].Image
	raw := debian.Output(t, "skopeo", "inspect", "--raw", "oci:"+filepath.Join(out, "image")+":"+version)
	if want := fmt.Sprintf("registry.example/controller@sha256:%x", sha256.Sum256([]byte(raw))); created != want {
		t.Errorf("the components name %s, and skopeo finds %s", created, want)
	}
	image, root := filepath.Join(out, "taken"), filepath.Join(out, "root")
	archive := "oci-archive:" + filepath.Join(out, "machineadm-controller.tar") + ":" + version
	debian.Output(t, "skopeo", "--override-os", "linux", "--override-arch", "amd64", "copy", archive, "dir:"+image)
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(image, strings.TrimPrefix(name, "sha256:")))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var manifest struct {
		Config struct{ Digest string }
		Layers []struct{ Digest string }
	}
	if err := json.Unmarshal(read("manifest.json"), &manifest); err != nil || len(manifest.Layers) == 0 {
		t.Fatalf("the manifest: %v", err)
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, layer := range manifest.Layers {
		debian.Output(t, "tar", "--extract", "--gzip", "--directory", root, "--file",
			filepath.Join(image, strings.TrimPrefix(layer.Digest, "sha256:")))
	}
	return root, read(manifest.Config.Digest)
}

// TestImage starts what the controller's image holds in a root that has nothing else, in a nightly run also that of a
// FIPS release.
func TestImage(t *testing.T) {
	for _, module := range nightly.Or([]string{usual, fips.Module}, []string{usual}) {
		t.Run(module, func(t *testing.T) { testImage(t, module) })
	}
}

// hasModes checks that the user of the image, which owns no file, can read all files and start the programs.
func hasModes(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o755)
		switch filepath.Base(path) {
		case "LICENSE", "THIRD-PARTY-LICENSES.txt", "ca-certificates.crt":
			want = 0o644
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v", path, info.Mode(), want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func testImage(t *testing.T, module string) {
	root, text := unpacked(t, module)
	var config struct {
		Config struct {
			User       string
			Entrypoint []string
		}
	}
	if err := json.Unmarshal(text, &config); err != nil || config.Config.User != "65532:65532" ||
		len(config.Config.Entrypoint) != 1 {
		t.Errorf("the configuration is %s, error %v", text, err)
	}
	// Deployments name the program; the flags show that it is it.
	help, _ := exec.CommandContext(t.Context(), "chroot", root, "/manager", "--help").CombinedOutput()
	if !strings.Contains(string(help), "--machine-endpoint-url") {
		t.Errorf("the controller prints %.300s", help)
	}
	for program, flag := range map[string]string{"/agents/machineadm-linux-amd64": "version", "/manager": "--version"} {
		output := strings.TrimSpace(debian.Output(t, "chroot", root, program, flag))
		if module == usual && output != version ||
			module != usual && !strings.HasPrefix(output, version+"\nGo Cryptographic Module "+module) {
			t.Errorf("%s prints the version %s", program, output)
		}
	}
	plugins, err := filepath.Glob(filepath.Join(root, "usr/libexec/machineadm/*"))
	if err != nil || len(plugins) != 3 {
		t.Errorf("the plugins are %v, error %v", plugins, err)
	}
	if module != usual {
		for _, program := range append(plugins, filepath.Join(root, "manager"), filepath.Join(root,
			"agents/machineadm-linux-amd64")) {
			usesModule(t, program)
		}
	}
	hasModes(t, root)
	if certificates, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt")); err != nil ||
		!strings.Contains(string(certificates), "BEGIN CERTIFICATE") {
		t.Errorf("no authority is trusted: %v", err)
	}
	for file, want := range map[string]string{
		"LICENSE":                  "Apache License",
		"THIRD-PARTY-LICENSES.txt": "\nsigs.k8s.io/controller-runtime v",
	} {
		if text, err := os.ReadFile(filepath.Join(root, "licenses", file)); err != nil ||
			!strings.Contains(string(text), want) {
			t.Errorf("/licenses/%s does not contain %q: %v", file, want, err)
		}
	}
}
