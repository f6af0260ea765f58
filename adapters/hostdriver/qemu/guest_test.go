//go:build e2e

package qemu_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/debian"
)

// bootTime is how long an emulated machine may take to boot and to run its data.
const bootTime = 10 * time.Minute

// The data creates the sentinel. That of cloud-init requires the metadata.
const (
	cloudConfig = `## template: jinja
#cloud-config
write_files:
- path: /run/cluster-api/bootstrap-success.complete
  content: "{% if 'machineadm-hosts:///default/machine-1' in ds.meta_data|string %}success{% endif %}"
`
	ignitionConfig = `{"ignition": {"version": "3.4.0"}, "systemd": {"units": [{
	"name": "bootstrap.service", "enabled": true, "contents": "[Service]\nType=oneshot\nRuntimeDirectory=cluster-api\n` +
		`RuntimeDirectoryPreserve=yes\nExecStart=/bin/sh -c 'echo success >/run/cluster-api/bootstrap-success.complete'\n` +
		`[Install]\nWantedBy=multi-user.target\n"}]}}`
)

// TestGuests boots real cloud-init and real Ignition from the seeds that they read. TestStockImagesJoin boots Ignition
// from the firmware.
func TestGuests(t *testing.T) {
	for _, c := range []struct {
		name, system, seed string
		format             ports.HostFormat
		data               string
		prepare            func(t *testing.T, image string)
	}{
		{"cloud-init NoCloud", "debian", "NoCloud", ports.HostFormatCloudConfig, cloudConfig, nil},
		{"cloud-init ConfigDrive", "debian", "ConfigDrive", ports.HostFormatCloudConfig, cloudConfig, nil},
		{"Ignition ConfigDrive", "flatcar", "ConfigDrive", ports.HostFormatIgnition, ignitionConfig, selectOpenStack},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.system)
			if c.prepare != nil {
				c.prepare(t, filepath.Join(w.directory, imageFile))
			}
			w.settings.Seed = c.seed
			w.serves(t, ports.HostBoot{
				Format: c.format, Data: secret.FromString(c.data), Hostname: "node-1",
				ProviderID: "machineadm-hosts:///default/machine-1",
			})
		})
	}
}

// selectOpenStack changes the arguments of the kernel, so that Ignition looks for a config drive.
func selectOpenStack(t *testing.T, image string) {
	t.Helper()
	debian.Packages(t, "e2fsprogs")
	// hack/stock.sh creates the file system of the boot loader at this offset.
	boot, directory := image+"?offset=2097152", t.TempDir()
	config := debian.Output(t, "debugfs", "-R", "cat grub/grub.cfg", boot)
	changed := strings.Replace(config, "ignition.platform.id=qemu", "ignition.platform.id=openstack", 1)
	if changed == config {
		t.Fatalf("the boot loader does not select a platform:\n%s", config)
	}
	file, commands := filepath.Join(directory, "grub.cfg"), filepath.Join(directory, "commands")
	for name, text := range map[string]string{
		file: changed + "\n", commands: "cd grub\nrm grub.cfg\nwrite " + file + " grub.cfg\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	debian.Output(t, "debugfs", "-w", "-f", commands, boot)
}

// serves boots a machine and waits until it reports that the bootstrap has succeeded.
func (w *world) serves(t *testing.T, boot ports.HostBoot) {
	t.Helper()
	const claim = "0b4e1c1e-0000-4000-8000-000000000001"
	d, target := w.driver(), w.target(t)
	if err := d.Claim(t.Context(), target, claim); err != nil {
		t.Fatal(err)
	}
	if err := d.Boot(t.Context(), target, claim, boot); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(bootTime); ; time.Sleep(time.Second) {
		o, err := d.Observe(t.Context(), target, claim)
		switch {
		case err != nil:
			t.Fatal(err)
		case o.Phase == host.PhaseRunning && time.Now().Before(deadline):
		case o.Phase != host.PhaseSucceeded || o.Hostname != boot.Hostname || !slices.Contains(o.Addresses, "10.0.2.15"):
			t.Fatalf("the observation is %+v", o)
		default:
			return
		}
	}
}
