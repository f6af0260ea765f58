//go:build e2e

package stock_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/test/debian"
	"github.com/machineadm/machineadm/test/nodeimage"
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
	digest, err := nodeimage.Digest(path)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// extension builds the system extension with the script of docs/install.md, and returns the path of its image.
func extension(t *testing.T) string {
	t.Helper()
	path, err := nodeimage.WriteExtension(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return path
}
