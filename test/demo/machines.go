package main

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
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodeimage"
	"github.com/machineadm/machineadm/test/programs"
)

// The network of the machines: the manifests contain addresses of it.
const (
	bridge   = "machineadm-demo"
	subnet   = "10.86.0.0/16"
	registry = "10.86.0.1:5000"
)

// machines is what the machines in namespaces need on this host.
type machines struct {
	// directory is that of the driver.
	directory string
	driver    *namespace.Driver
	stops     []func() error
}

func newMachines(directory string) *machines {
	return &machines{directory: directory, driver: namespace.New(namespace.Config{
		Directory: directory, Network: namespace.Network{
			Bridge: bridge, Subnets: []netip.Prefix{netip.MustParsePrefix(subnet)},
		},
	})}
}

// flags returns the flags of the manager that creates the machines.
func (m *machines) flags() []string {
	return []string{
		"--namespace-machines=" + m.directory, "--namespace-bridge=" + bridge, "--namespace-subnets=" + subnet,
	}
}

// prepare creates the root file system of the machines and starts the registry of their images. pod is the program of
// the Pods.
func (m *machines) prepare(ctx context.Context, pod string) error {
	restore, err := nodeimage.ChangeSettings()
	if err != nil {
		return err
	}
	m.stops = append(m.stops, restore)
	image, blobs := filepath.Join(m.directory, "image"), filepath.Join(m.directory, "blobs")
	if err := os.MkdirAll(blobs, 0o700); err != nil {
		return err
	}
	if err := m.writeImage(ctx, image); err != nil {
		return err
	}
	images := nodeimage.NewRegistry(blobs)
	if err := images.AddControlPlane(ctx); err != nil {
		return err
	}
	contents, err := nodeimage.Plugins(ctx)
	if err != nil {
		return err
	}
	contents["pod"] = pod
	if err := images.Add("pod", "v1", contents); err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.Handle("/v2/", images)
	routes.Handle("/", http.FileServer(http.Dir(m.files())))
	return m.serve(ctx, routes)
}

// files is the directory of further files that machines can fetch.
func (m *machines) files() string { return filepath.Join(m.directory, "files") }

// writeImage mounts the root file system "debian": Debian with the programs of a node, and with Ignition.
func (m *machines) writeImage(ctx context.Context, image string) error {
	if err := nodeimage.Write(ctx, image); err != nil {
		return err
	}
	ignition, err := controlplane.Tool(ctx, "ignition")
	if err != nil {
		return err
	}
	content, err := os.ReadFile(ignition)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"bin/ignition": content,
		// Ignition labels files, which this system has no use for.
		"sbin/setfiles": []byte("#!/bin/sh\n"),
		// Like systems with Ignition, and unlike Debian, enable no units at the first boot that Ignition does not name.
		"lib/systemd/system-preset/80-node.preset": []byte("disable *\n"),
	} {
		file := filepath.Join(image, "usr", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o755); err != nil {
			return err
		}
	}
	debian, err := programs.Script(ctx, "roots.sh", "bookworm")
	if err != nil {
		return err
	}
	root := filepath.Join(m.directory, "debian")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("overlay", root, "overlay", 0, "lowerdir="+image+":"+debian); err != nil {
		return fmt.Errorf("mount the root file system: %w", err)
	}
	return nil
}

// serve serves images and files at the address of the bridge, which the first machine creates.
func (m *machines) serve(ctx context.Context, handler http.Handler) error {
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) { failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_FREEBIND, 1) })
		return errors.Join(err, failed)
	}}
	listener, err := config.Listen(ctx, "tcp", registry)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler} //nolint:gosec // its only clients are the machines
	m.stops = append(m.stops, server.Close)
	go func() { _ = server.Serve(listener) }()
	return nil
}

// close ends all machines and removes their files, and reverts the changes to this host.
func (m *machines) close() error {
	errs := []error{m.sweep(context.Background())}
	for _, stop := range m.stops {
		errs = append(errs, stop())
	}
	return errors.Join(append(errs, os.RemoveAll(m.directory))...)
}

// sweep ends all machines, also those of a demo that was killed, and removes the bridge.
func (m *machines) sweep(ctx context.Context) error {
	if err := releaseAll(ctx, m.directory, m.driver); err != nil {
		return err
	}
	if err := unix.Unmount(filepath.Join(m.directory, "debian"), 0); err != nil && !errors.Is(err, unix.EINVAL) &&
		!errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("unmount the root file system: %w", err)
	}
	link, err := netlink.LinkByName(bridge)
	if errors.As(err, &netlink.LinkNotFoundError{}) {
		return nil
	}
	if err != nil {
		return err
	}
	return netlink.LinkDel(link)
}

// releaseAll releases all machines of a driver, which has a file with the claim of each in its directory.
func releaseAll(ctx context.Context, directory string, driver ports.HostDriver) error {
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
