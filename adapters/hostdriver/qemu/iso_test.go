//go:build linux && !unit

package qemu_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
)

// TestSeedImages reads the seed images with another program. The tests with virtual machines mount them.
func TestSeedImages(t *testing.T) {
	debian.Packages(t, "genisoimage")
	for seed, c := range map[string]struct {
		label, data string
		files       []string
	}{
		"NoCloud": {"cidata", "/USER-DATA;1", []string{"/META-DATA;1", "/USER-DATA;1", "/VENDOR-DATA;1"}},
		"ConfigDrive": {"config-2", "/OPENSTACK/LATEST/USER_DATA;1", []string{
			"/OPENSTACK", "/OPENSTACK/LATEST", "/OPENSTACK/LATEST/META_DATA.JSON;1", "/OPENSTACK/LATEST/USER_DATA;1",
			"/OPENSTACK/LATEST/VENDOR_DATA.JSON;1",
		}},
	} {
		data := "#cloud-config\n" + strings.Repeat("long: text\n", 500)
		_, content, err := qemu.Seed(seed, ports.HostBoot{
			Format: ports.HostFormatCloudConfig, Data: secret.FromString(data), Hostname: "node-1",
		})
		if err != nil {
			t.Fatal(err)
		}
		image := filepath.Join(t.TempDir(), "seed.iso")
		if err := os.WriteFile(image, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := debian.Output(t, "blkid", "-p", "-o", "value", "-s", "LABEL", image); got != c.label {
			t.Errorf("%s: the label is %q", seed, got)
		}
		files := strings.Fields(debian.Output(t, "isoinfo", "-i", image, "-f"))
		slices.Sort(files)
		if diff := cmp.Diff(c.files, files); diff != "" {
			t.Error(diff)
		}
		if got := debian.Output(t, "isoinfo", "-i", image, "-x", c.data); got != strings.TrimSpace(data) {
			t.Errorf("%s: the data is %q", seed, got)
		}
	}
}

// TestIgnitionIsValid checks with the validators of Ignition the configurations that contain a user's one.
func TestIgnitionIsValid(t *testing.T) {
	for version, validator := range map[string]string{
		"3.4.0": "ignition-validate", "2.3.0": "ignition-validate-flatcar",
	} {
		_, content, err := qemu.Seed("", ports.HostBoot{
			Format: ports.HostFormatIgnition, Data: secret.FromString(`{"ignition":{"version":"` + version + `"}}`),
			Hostname: "node-1",
		})
		if err != nil {
			t.Fatal(err)
		}
		config := filepath.Join(t.TempDir(), "config.ign")
		if err := os.WriteFile(config, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if out := debian.Output(t, debian.Tool(t, validator), config); out != "" {
			t.Errorf("%s: %s", version, out)
		}
	}
}
