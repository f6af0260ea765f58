package main

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"
)

// TestNetworkIsFree refuses the routes of others to addresses of the machines, and no other route.
func TestNetworkIsFree(t *testing.T) {
	names := map[int]string{1: "eth0", 2: "tun0", 3: bridge}
	for _, c := range []struct {
		to    string
		index int
		inUse bool
	}{
		{to: "10.86.0.0/16", index: 2, inUse: true},
		{to: "10.86.7.0/24", index: 2, inUse: true},
		{to: "10.86.0.0/16", index: 3},
		// The route of the bridge is more specific.
		{to: "10.0.0.0/8", index: 2},
		{to: "10.87.0.0/16", index: 2},
		// The link has gone.
		{to: "10.86.0.0/16", index: 4},
	} {
		_, to, err := net.ParseCIDR(c.to)
		if err != nil {
			t.Fatal(err)
		}
		routes := []netlink.Route{{LinkIndex: 1}, {LinkIndex: c.index, Dst: to}}
		err = conflict(netip.MustParsePrefix(subnet), routes, func(index int) string { return names[index] })
		if (err != nil) != c.inUse {
			t.Errorf("%s at %s: %v", c.to, names[c.index], err)
		}
		if want := "a route to " + c.to + " at tun0; end what uses it"; err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not name the route: %v", err)
		}
	}
}
