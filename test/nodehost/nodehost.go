//go:build linux

// Package nodehost runs machines in namespaces of this host that become nodes. It provides the root file systems from
// which they boot, a registry with the images of their Pods, and the flags of the manager that creates the machines. It
// needs root.
package nodehost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/programs"
)

// Config describes the machines.
type Config struct {
	// Directory is that of the driver. It must not be on an overlay.
	Directory string
	// Bridge is the name of the bridge of the machines, and Subnet the network of their addresses.
	Bridge string
	Subnet netip.Prefix
}

// Host is what the machines need on this host.
type Host struct {
	Config
	Driver *namespace.Driver
	// Images are the images that machines can pull from Registry. Add images before Serve.
	Images *nodeimage.Registry

	roots []string
	stops []func() error
}

// New returns a host without machines.
func New(c Config) *Host {
	return &Host{Config: c, Driver: namespace.New(namespace.Config{
		Directory: c.Directory, Network: namespace.Network{Bridge: c.Bridge, Subnets: []netip.Prefix{c.Subnet}},
	})}
}

// Flags returns the flags of the manager that creates the machines.
func (h *Host) Flags() []string {
	return []string{
		"--namespace-machines=" + h.Directory, "--namespace-bridge=" + h.Bridge,
		"--namespace-subnets=" + h.Subnet.String(),
	}
}

// Registry is the address at which machines reach the images and the files: the first one of the network.
func (h *Host) Registry() string {
	return net.JoinHostPort(h.Subnet.Masked().Addr().Next().String(), "5000")
}

// Files is the directory of further files that machines can fetch.
func (h *Host) Files() string { return filepath.Join(h.Directory, "files") }

// Prepare writes the layers of the root file systems, and adds the images of control planes of the releases.
func (h *Host) Prepare(ctx context.Context, releases ...nodeimage.Release) error {
	restore, err := nodeimage.ChangeSettings()
	if err != nil {
		return err
	}
	h.stops = append(h.stops, restore)
	blobs := filepath.Join(h.Directory, "blobs")
	if err := os.MkdirAll(blobs, 0o700); err != nil {
		return err
	}
	h.Images = nodeimage.NewRegistry(blobs)
	for _, r := range releases {
		if err := h.Images.AddControlPlane(ctx, r); err != nil {
			return err
		}
	}
	return nodeimage.Write(ctx, h.layer("image"))
}

// AddVirtualIP adds the image of kube-vip, which announces the virtual IP of a control plane.
func (h *Host) AddVirtualIP(ctx context.Context) error {
	program, err := controlplane.Tool(ctx, "kube-vip")
	if err != nil {
		return err
	}
	name, tag, _ := strings.Cut(strings.TrimPrefix(node.DefaultVirtualIPImage, "ghcr.io/"), ":")
	return h.Images.Add(name, tag, map[string]string{"kube-vip": program})
}

// layer returns the path of a layer of root file systems.
func (h *Host) layer(name string) string { return filepath.Join(h.Directory, "layers", name) }

// AddRoot mounts a root file system: Debian with the programs of a node, in which files replace others. The key of a
// file is its path.
func (h *Host) AddRoot(ctx context.Context, name string, release nodeimage.Release, files map[string][]byte) error {
	layer := h.layer(name)
	for path, content := range files {
		file := filepath.Join(layer, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o755); err != nil {
			return err
		}
	}
	if err := nodeimage.WriteKubernetes(ctx, layer, release); err != nil {
		return err
	}
	debian, err := programs.Script(ctx, "roots.sh", "bookworm")
	if err != nil {
		return err
	}
	root := filepath.Join(h.Directory, name)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	layers := strings.Join([]string{layer, h.layer("image"), debian}, ":")
	if err := unix.Mount("overlay", root, "overlay", 0, "lowerdir="+layers); err != nil {
		return fmt.Errorf("mount the root file system: %w", err)
	}
	h.roots = append(h.roots, name)
	return nil
}

// Serve serves images and files at the address of the bridge, which the first machine creates.
func (h *Host) Serve(ctx context.Context) error {
	routes := http.NewServeMux()
	routes.Handle("/v2/", h.Images)
	routes.Handle("/", http.FileServer(http.Dir(h.Files())))
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) { failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_FREEBIND, 1) })
		return errors.Join(err, failed)
	}}
	listener, err := config.Listen(ctx, "tcp", h.Registry())
	if err != nil {
		return err
	}
	server := &http.Server{Handler: routes} //nolint:gosec // its only clients are the machines
	h.stops = append(h.stops, server.Close)
	go func() { _ = server.Serve(listener) }()
	return nil
}

// Close ends all machines and removes their files, and reverts the changes to this host.
func (h *Host) Close() error {
	errs := []error{h.Sweep(context.Background(), h.roots...)}
	for _, stop := range h.stops {
		errs = append(errs, stop())
	}
	return errors.Join(append(errs, os.RemoveAll(h.Directory))...)
}

// Sweep ends all machines, also those of a process that was killed, unmounts the root file systems, and removes the
// bridge.
func (h *Host) Sweep(ctx context.Context, roots ...string) error {
	if err := ReleaseAll(ctx, h.Directory, h.Driver); err != nil {
		return err
	}
	for _, name := range roots {
		if err := unix.Unmount(filepath.Join(h.Directory, name), 0); err != nil && !errors.Is(err, unix.EINVAL) &&
			!errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("unmount the root file system %s: %w", name, err)
		}
	}
	link, err := netlink.LinkByName(h.Bridge)
	if errors.As(err, &netlink.LinkNotFoundError{}) {
		return nil
	}
	if err != nil {
		return err
	}
	return netlink.LinkDel(link)
}

// ReleaseAll releases all machines of a driver, which has a file with the claim of each in its directory.
func ReleaseAll(ctx context.Context, directory string, driver ports.HostDriver) error {
	claims, err := filepath.Glob(filepath.Join(directory, "machines/*/*/claim"))
	if err != nil {
		return err
	}
	for _, file := range claims {
		id, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		place := filepath.Dir(file)
		target := ports.HostTarget{Namespace: filepath.Base(filepath.Dir(place)), Name: filepath.Base(place)}
		if err := driver.Release(ctx, target, strings.TrimSpace(string(id))); err != nil {
			return err
		}
	}
	return nil
}
