//go:build e2e

package stock_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/programs"
)

// image is a disk image of an operating system.
type image struct {
	// os is spec.os of a MachineBootstrapConfig.
	path, os string
}

// The versions of the operating systems that the near-stock images imitate.
const (
	flatcar = "{distribution: flatcar, version: 4230.2.0}"
	coreos  = "{distribution: fedora-coreos, version: 42.20250705.3.0}"
)

// images returns the images to test by name: that of the variable IMAGE, or else the near-stock images.
func images(t *testing.T) map[string]image {
	t.Helper()
	path := os.Getenv("IMAGE")
	switch {
	case path == "":
		return map[string]image{
			"flatcar":       {debian.Script(t, "stock.sh", "flatcar"), flatcar},
			"fedora-coreos": {debian.Script(t, "stock.sh", "fedora-coreos"), coreos},
		}
	case strings.Contains(filepath.Base(path), "flatcar"):
		return map[string]image{"flatcar": {path, flatcar}}
	case strings.Contains(filepath.Base(path), "coreos"):
		return map[string]image{"fedora-coreos": {path, coreos}}
	}
	t.Fatalf("IMAGE=%s: the name of the file must contain flatcar or coreos", path)
	return nil
}

func digest(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// extension builds the system extension with the script of docs/install.md, and returns the path of its image.
func extension(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(programs.Root(), "docs/install.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile("(?s)```sh extension\\.sh\n(.*?)```").FindSubmatch(page)
	if script == nil {
		t.Fatal("docs/install.md has no script extension.sh")
	}
	debian.Packages(t, "squashfs-tools")
	dir := t.TempDir()
	for _, name := range []string{"kubelet", "kubeadm", "kubectl"} {
		if err := os.Symlink(debian.Tool(t, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "extension.sh"), script[1], 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "sh", "extension.sh")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("extension.sh: %v\n%s", err, out)
	}
	return filepath.Join(dir, "kubernetes-v1.36.3-x86-64.raw")
}
