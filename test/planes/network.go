//go:build linux

package planes

import (
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
)

// connect creates the bridge of the machines, and a default route: kube-apiserver does not start on a host without one.
func connect(bridge string, subnet netip.Prefix) error {
	if err := netlink.LinkAdd(&netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: bridge}}); err != nil {
		return err
	}
	link, err := netlink.LinkByName(bridge)
	if err != nil {
		return err
	}
	first := subnet.Masked().Addr().Next()
	address := &netlink.Addr{IPNet: &net.IPNet{
		IP: first.AsSlice(), Mask: net.CIDRMask(subnet.Bits(), first.BitLen()),
	}}
	if err := netlink.AddrAdd(link, address); err != nil {
		return err
	}
	if err := netlink.LinkSetUp(link); err != nil {
		return err
	}
	all := &net.IPNet{IP: net.IPv4zero, Mask: net.CIDRMask(0, 32)}
	return netlink.RouteAdd(&netlink.Route{LinkIndex: link.Attrs().Index, Dst: all})
}
