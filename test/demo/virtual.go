package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/qemu"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodehost"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/programs"
)

// virtualPatience is how long the demo waits for a step that an emulated machine takes part in.
const virtualPatience = 20 * time.Minute

// The network of the virtual machine is the bridge of the machines in namespaces, which has no DHCP server. It gets an
// address that they do not.
const (
	dhcpConfig = `interface ` + bridge + `
start 10.86.255.1
end 10.86.255.254
option subnet 255.255.0.0
option router 10.86.0.1
option lease 86400
`
	// bridgesFile contains the bridges that qemu-bridge-helper may use.
	bridgesFile = "/etc/qemu/bridge.conf"
	allowed     = "allow " + bridge + "\n"
)

// virtual is what a worker on a virtual machine needs. Its methods do nothing if the demo has none.
type virtual struct {
	options
	// directory is that of the driver.
	directory string
	// digests are the digests of the image and of the system extension by their names in the manifest.
	digests []string
	// dhcp is the DHCP server.
	dhcp *controlplane.Process
}

func newVirtual(directory string, o options) *virtual {
	return &virtual{options: o, directory: directory}
}

// flags returns the flags of the manager that creates the machine.
func (v *virtual) flags() []string {
	if !v.virtual {
		return nil
	}
	return []string{"--virtual-machines=" + v.directory, "--virtual-bridge=" + bridge}
}

// prepare copies the image, writes the system extension with Kubernetes to the directory of served files, and allows
// QEMU to use the bridge.
func (v *virtual) prepare(ctx context.Context, files string) error {
	if !v.virtual {
		return nil
	}
	if _, err := programs.Script(ctx, "packages.sh", "qemu-system-x86", "qemu-utils", "busybox"); err != nil {
		return err
	}
	image := v.image
	if image == "" {
		var err error
		if image, err = programs.Script(ctx, "stock.sh", "flatcar"); err != nil {
			return err
		}
	}
	copied := filepath.Join(v.directory, "flatcar.img")
	if err := errors.Join(os.MkdirAll(v.directory, 0o700), os.MkdirAll(files, 0o700)); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "cp", "--sparse=always", image, copied).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the image: %w\n%s", err, out)
	}
	extension, err := nodeimage.WriteExtension(ctx, files)
	if err != nil {
		return err
	}
	for name, path := range map[string]string{"IMAGE_SHA256": copied, "EXTENSION_SHA256": extension} {
		digest, err := nodeimage.Digest(path)
		if err != nil {
			return err
		}
		v.digests = append(v.digests, name, digest)
	}
	return allowBridge(bridgesFile)
}

// allowBridge allows QEMU to use the bridge.
func allowBridge(file string) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || strings.Contains(string(text), allowed) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, append([]byte(allowed), text...), 0o644)
}

// forbidBridge reverts allowBridge.
func forbidBridge(file string) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !strings.Contains(string(text), allowed) {
		return nil
	}
	if err != nil {
		return err
	}
	rest := strings.Replace(string(text), allowed, "", 1)
	if rest == "" {
		return os.Remove(file)
	}
	return os.WriteFile(file, []byte(rest), 0o644)
}

// startDHCP starts the DHCP server of the bridge, which must exist.
func (v *virtual) startDHCP(ctx context.Context) error {
	config, leases := filepath.Join(v.directory, "udhcpd.conf"), filepath.Join(v.directory, "leases")
	if err := os.WriteFile(config, []byte(dhcpConfig+"lease_file "+leases+"\n"), 0o600); err != nil {
		return err
	}
	var err error
	v.dhcp, err = controlplane.StartProcess(ctx, filepath.Join(v.directory, "udhcpd.log"), "busybox",
		"udhcpd", "-f", config)
	return err
}

// close ends the machine and the DHCP server, and removes their files.
func (v *virtual) close() error {
	err := v.sweep(context.Background())
	if v.dhcp != nil {
		err = errors.Join(err, v.dhcp.Stop())
	}
	return errors.Join(err, os.RemoveAll(v.directory))
}

// sweep ends the machine, also that of a demo that was killed, and reverts the change to this host.
func (v *virtual) sweep(ctx context.Context) error {
	return errors.Join(nodehost.ReleaseAll(ctx, v.directory, qemu.New(qemu.Config{Directory: v.directory})),
		forbidBridge(bridgesFile))
}
