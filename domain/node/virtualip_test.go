package node_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/node"
)

func TestVirtualIPCheck(t *testing.T) {
	bgp := func(change func(*node.VirtualIP)) node.VirtualIP {
		v := node.VirtualIP{
			Address: "192.0.2.10", Interface: "eth0", ASN: 65000,
			Peers: []node.BGPPeer{{Address: "192.0.2.1", ASN: 65001}},
		}
		change(&v)
		return v
	}
	cases := map[string]struct {
		reason string
		value  node.VirtualIP
		want   string
	}{
		"address alone": {reason: "the defaults suffice", value: node.VirtualIP{Address: "192.0.2.10"}},
		"IPv6":          {reason: "NDP announces it", value: node.VirtualIP{Address: "2001:db8::10"}},
		"BGP":           {reason: "all settings are given", value: bgp(func(*node.VirtualIP) {})},
		"image": {
			reason: "a mirror with a digest",
			value:  node.VirtualIP{Address: "192.0.2.10", Image: "mirror.example:5000/a/kube-vip:v0.9.1@sha256:0a1b"},
		},
		"no address": {
			reason: "there is nothing to announce", value: node.VirtualIP{},
			want: `error: v.address: "" is not an IP address; write it as 192.0.2.1 or 2001:db8::1`,
		},
		"name": {
			reason: "kube-vip would resolve it again and again", value: node.VirtualIP{Address: "api.example.org"},
			want: `error: v.address: "api.example.org" is not an IP address; write it as 192.0.2.1 or 2001:db8::1`,
		},
		"loopback": {
			reason: "no other machine reaches it", value: node.VirtualIP{Address: "127.0.0.1"},
			want: `error: v.address: 127.0.0.1 cannot be the address of an API server; use an unused address of the ` +
				`machines' network`,
		},
		"zone": {
			reason: "a zone belongs to one machine", value: node.VirtualIP{Address: "fe80::1%eth0"},
			want: `error: v.address: "fe80::1%eth0" is not an IP address; write it as 192.0.2.1 or 2001:db8::1`,
		},
		"interface": {
			reason: "Linux does not accept it", value: node.VirtualIP{Address: "192.0.2.10", Interface: "a b"},
			want: `error: v.interface: "a b" is not the name of a network interface; use a name such as eth0`,
		},
		"image with a blank": {
			reason: "the runtime does not accept it", value: node.VirtualIP{Address: "192.0.2.10", Image: "a b"},
			want: `error: v.image: "a b" is not the name of an image; use a name such as ` + node.DefaultVirtualIPImage,
		},
		"asn alone": {
			reason: "nothing would be announced", value: node.VirtualIP{Address: "192.0.2.10", ASN: 65000},
			want: "error: v.interface: interface is empty; set the interface whose address is the router ID\n" +
				"error: v.peers: peers is empty; set the address and asn of a router",
		},
		"peers alone": {
			reason: "routers refuse the machines", value: bgp(func(v *node.VirtualIP) { v.ASN = 0 }),
			want: "error: v.asn: asn is 0; set the autonomous system of the machines",
		},
		"peer": {
			reason: "each router is checked", value: bgp(func(v *node.VirtualIP) { v.Peers = []node.BGPPeer{{Address: "r"}} }),
			want: "error: v.peers[0].address: \"r\" is not an IP address; write it as 192.0.2.1 or 2001:db8::1\n" +
				"error: v.peers[0].asn: asn is 0; set the autonomous system of the router",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.value.Check("v").String(); got != c.want {
				t.Errorf("%s:\n%s\nwant\n%s", c.reason, got, c.want)
			}
		})
	}
}
