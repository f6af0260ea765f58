//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

const (
	// configFile is where containerd looks for the configuration of its network plugins.
	configFile = "/etc/cni/net.d/10-bridge.conflist"
	// pluginDirectory is where containerd looks for its network plugins.
	pluginDirectory = "/opt/cni/bin"
	// routeProtocol marks the routes of this program; rtnetlink(7) reserves the numbers above 4 for users.
	routeProtocol netlink.RouteProtocol = 86
)

// installPlugins copies the network plugins of the image to the node, unless the node has them.
func installPlugins(from, to string) error {
	for _, name := range []string{"bridge", "host-local", "loopback"} {
		if _, err := os.Stat(filepath.Join(to, name)); err == nil {
			continue
		}
		plugin, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := replace(filepath.Join(to, name), plugin, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// replace replaces a file. A reader finds either the old or the new file.
func replace(path string, content []byte, mode fs.FileMode) error {
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path))
	if err := os.WriteFile(temporary, content, mode); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// connect keeps the configuration of the network plugins and the routes to the Pods of the other nodes current. All
// nodes are at one bridge, so that the routes need no tunnels.
func connect(ctx context.Context, c *cluster, name string) {
	for ctx.Err() == nil {
		if err := connectOnce(ctx, c, name); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "pod:", err)
			time.Sleep(time.Second)
		}
	}
}

// connectOnce applies the current Nodes and waits for a change.
func connectOnce(ctx context.Context, c *cluster, name string) error {
	list, err := c.list(ctx)
	if err != nil {
		return err
	}
	for i := range list.Items {
		n := &list.Items[i]
		subnet, found := n.pods()
		if !found || n.Metadata.Name != name {
			continue
		}
		if err := writeConfig(subnet); err != nil {
			return err
		}
	}
	if err := setRoutes(routes(list.Items, name)); err != nil {
		return err
	}
	// A watch without a change ends without a value.
	if err := c.wait(ctx, list); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// writeConfig writes the configuration of the network plugins for the Pods of this node.
func writeConfig(subnet netip.Prefix) error {
	text, err := json.Marshal(map[string]any{
		"cniVersion": "1.0.0", "name": "bridge",
		"plugins": []any{map[string]any{
			"type": "bridge", "bridge": "cni0", "isGateway": true,
			"ipam": map[string]any{
				"type":   "host-local",
				"ranges": [][]any{{map[string]string{"subnet": subnet.String()}}},
				"routes": []any{map[string]string{"dst": "0.0.0.0/0"}},
			},
		}},
	})
	if err != nil {
		return err
	}
	return replace(configFile, text, 0o644)
}

// routes returns the addresses of the other nodes by the subnets of their Pods.
func routes(nodes []node, name string) map[netip.Prefix]netip.Addr {
	found := map[netip.Prefix]netip.Addr{}
	for i := range nodes {
		subnet, hasPods := nodes[i].pods()
		address, hasAddress := nodes[i].address()
		if hasPods && hasAddress && nodes[i].Metadata.Name != name {
			found[subnet] = address
		}
	}
	return found
}

// setRoutes replaces the routes of this program. There is no route to a node that is not at the bridge.
func setRoutes(wanted map[netip.Prefix]netip.Addr) error {
	for subnet, gateway := range wanted {
		route := &netlink.Route{
			Dst: ipNet(subnet), Gw: gateway.AsSlice(), Protocol: routeProtocol,
		}
		if err := netlink.RouteReplace(route); err != nil && !errors.Is(err, unix.ENETUNREACH) {
			return fmt.Errorf("add the route to %s: %w", subnet, err)
		}
	}
	current, err := netlink.RouteListFiltered(netlink.FAMILY_V4, &netlink.Route{Protocol: routeProtocol},
		netlink.RT_FILTER_PROTOCOL)
	if err != nil {
		return fmt.Errorf("list routes: %w", err)
	}
	for i := range current {
		subnet, err := netip.ParsePrefix(current[i].Dst.String())
		if _, needed := wanted[subnet]; err == nil && needed {
			continue
		}
		if err := netlink.RouteDel(&current[i]); err != nil {
			return fmt.Errorf("remove the route to %s: %w", current[i].Dst, err)
		}
	}
	return nil
}

func ipNet(p netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
}
