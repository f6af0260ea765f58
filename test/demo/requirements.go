package main

import (
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// missing returns what machines in namespaces need and this host does not have. The directory is on the file system of
// the demo's files, and the command starts the demo.
func missing(directory, command string) []string {
	var all []string
	if os.Geteuid() != 0 {
		all = append(all, fmt.Sprintf("root; run \"sudo env PATH=$PATH %s\"", command))
	}
	if text, err := os.ReadFile("/proc/filesystems"); err != nil || !strings.Contains(string(text), "\toverlay\n") {
		all = append(all, `overlayfs in the kernel; run "modprobe overlay"`)
	}
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil || system.Type == unix.OVERLAYFS_SUPER_MAGIC {
		all = append(all, fmt.Sprintf("a file system that is not an overlay at %s; use a clone elsewhere", directory))
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		all = append(all, "Debian or Ubuntu: the demo installs packages with apt-get")
	}
	return all
}

// freeNetwork returns an error if packets to the machines would leave this host elsewhere than at the bridge: nothing
// would answer, and the demo would wait.
func freeNetwork() error {
	routes, err := netlink.RouteList(nil, netlink.FAMILY_V4)
	if err != nil {
		return fmt.Errorf("list the routes: %w", err)
	}
	return conflict(netip.MustParsePrefix(subnet), routes, func(index int) string {
		link, err := netlink.LinkByIndex(index)
		if err != nil {
			return ""
		}
		return link.Attrs().Name
	})
}

// conflict returns an error if a route to a part of the network is not at the bridge. The bridge of a demo that was
// killed is removed later.
func conflict(network netip.Prefix, routes []netlink.Route, name func(index int) string) error {
	for _, r := range routes {
		if r.Dst == nil {
			continue
		}
		to, err := netip.ParsePrefix(r.Dst.String())
		if err != nil || to.Bits() < network.Bits() || !network.Contains(to.Addr()) {
			continue
		}
		if at := name(r.LinkIndex); at != bridge && at != "" {
			return fmt.Errorf("the machines need the network %s, and this host has a route to %s at %s; end what uses it, "+
				"such as a VPN or a network of containers (\"ip route\" lists the routes)", network, to, at)
		}
	}
	return nil
}
