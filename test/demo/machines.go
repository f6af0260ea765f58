package main

import (
	"context"
	"maps"
	"net/netip"
	"os"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/nodehost"
	"github.com/machineadm/machineadm/test/nodeimage"
)

// The network of the machines: the manifests contain addresses of it.
const (
	bridge   = "machineadm-demo"
	subnet   = "10.86.0.0/16"
	registry = "10.86.0.1:5000"
)

// rootName is the name of the root file system in the manifests.
const rootName = "debian"

// newMachines returns what the machines in namespaces need on this host.
func newMachines(directory string) *nodehost.Host {
	return nodehost.New(nodehost.Config{Directory: directory, Bridge: bridge, Subnet: netip.MustParsePrefix(subnet)})
}

// prepareMachines creates the root file system of the machines and starts the registry of their images.
func (o options) prepareMachines(ctx context.Context, h *nodehost.Host) error {
	if err := h.Prepare(ctx, nodeimage.Current()); err != nil {
		return err
	}
	if err := h.AddVirtualIP(ctx); err != nil {
		return err
	}
	contents, err := nodeimage.Plugins(ctx)
	if err != nil {
		return err
	}
	contents["pod"] = o.pod
	if err := h.Images.Add("pod", "v1", contents); err != nil {
		return err
	}
	files, err := ignitionFiles(ctx)
	if err != nil {
		return err
	}
	if o.ssh {
		maps.Copy(files, sshHostFiles())
	}
	if err := h.AddRoot(ctx, rootName, nodeimage.Current(), files); err != nil {
		return err
	}
	return h.Serve(ctx)
}

// ignitionFiles returns what Debian needs for Ignition.
func ignitionFiles(ctx context.Context) (map[string][]byte, error) {
	ignition, err := controlplane.Tool(ctx, "ignition")
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(ignition)
	return map[string][]byte{
		"usr/bin/ignition": content,
		// Ignition labels files, which this system has no use for.
		"usr/sbin/setfiles": []byte("#!/bin/sh\n"),
		// Like systems with Ignition, and unlike Debian, enable no units at the first boot that Ignition does not name.
		"usr/lib/systemd/system-preset/80-node.preset": []byte("disable *\n"),
	}, err
}
