package egress

import (
	"errors"
	"net/netip"
)

// The errors of Grant.Check. They do not contain the address, so that a repeated attempt fails with the same text.
var (
	// ErrLocal means that an address belongs to this machine, to its link, or to a service of the platform for its
	// machines.
	ErrLocal = errors.New("the address is loopback, link-local, reserved or a platform's metadata service, and not listed")
	// ErrPrivate means that an address belongs to a private network.
	ErrPrivate = errors.New("the address is in a private network that is not listed")
)

// scope is the range in which an address is reachable.
type scope int

const (
	public scope = iota
	// private addresses are allowed only if they, or a name that resolves to them, are listed.
	private
	// local addresses are allowed only if they are listed themselves.
	local
)

// network is a range of addresses that are not public.
type network struct {
	prefix, source string
	scope          scope
}

// networks are all ranges that are not public. IANA's registries are "IPv4 Special-Purpose Address Space" and "IPv6
// Special-Purpose Address Space".
func networks() []network {
	return []network{
		{"0.0.0.0/8", "RFC 791, 3.2: this network; Linux connects 0.0.0.0 to itself", local},
		{"10.0.0.0/8", "RFC 1918", private},
		{"100.64.0.0/10", "RFC 6598: carrier-grade NAT", private},
		{"100.100.100.200/32", "Alibaba Cloud: https://www.alibabacloud.com/help/doc-detail/141788.htm", local},
		{"127.0.0.0/8", "RFC 1122, 3.2.1.3: loopback", local},
		{
			"168.63.129.16/32",
			"Azure: https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16", local,
		},
		// RFC 3927: link-local. Instance metadata of AWS, Azure, Google Cloud and others is 169.254.169.254, credentials of
		// ECS tasks are at 169.254.170.2, and those of EKS pods at 169.254.170.23.
		{"169.254.0.0/16", "RFC 3927", local},
		{"172.16.0.0/12", "RFC 1918", private},
		{"192.0.0.0/24", "RFC 6890: protocol assignments, among them 192.0.0.192 of Oracle Cloud at Customer", local},
		{"192.0.2.0/24", "RFC 5737: documentation", private},
		{"192.88.99.0/24", "RFC 7526: 6to4 relays, deprecated", private},
		{"192.168.0.0/16", "RFC 1918", private},
		{"198.18.0.0/15", "RFC 2544: benchmarks", private},
		{"198.51.100.0/24", "RFC 5737: documentation", private},
		{"203.0.113.0/24", "RFC 5737: documentation", private},
		{"224.0.0.0/4", "RFC 5771: multicast", local},
		{"240.0.0.0/4", "RFC 1112 and RFC 919: reserved, and the broadcast address", local},
		{"::/128", "RFC 4291: unspecified", local},
		{"::1/128", "RFC 4291: loopback", local},
		{"64:ff9b:1::/48", "RFC 8215: NAT64 of the local network; what it embeds depends on that network", local},
		{"100::/64", "RFC 6666: discard", private},
		{"2001:db8::/32", "RFC 3849: documentation", private},
		{"3fff::/20", "RFC 9637: documentation", private},
		{"5f00::/16", "RFC 9602: SRv6 segment identifiers", private},
		{"fc00::/7", "RFC 4193: unique local", private},
		{"fd00:42::42/128", "Scaleway: https://www.scaleway.com/en/docs/instances/how-to/use-cloud-init/", local},
		// Metadata is fd00:ec2::254, credentials of EKS pods are at ::23, DNS is ::253 and NTP ::123.
		{
			"fd00:ec2::/32",
			"AWS: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html", local,
		},
		{"fd00:100::100:200/128", "Alibaba Cloud: cloud-init, DataSourceAliYun.py", local},
		{
			"fd00:a9fe:a9fe::1/128",
			"Akamai: https://techdocs.akamai.com/cloud-computing/docs/metadata-service-api", local,
		},
		{"fd00:c1::a9fe:a9fe/128", "Oracle Cloud: cloud-init, DataSourceOracle.py", local},
		{"fd20:ce::254/128", "Google Cloud: https://cloud.google.com/compute/docs/metadata/querying-metadata", local},
		{"fe80::/10", "RFC 4291: link-local", local},
		{"fec0::/10", "RFC 3879: site-local, deprecated", private},
		{"ff00::/8", "RFC 4291: multicast", local},
	}
}

// scopeOf returns the narrowest scope of the networks that contain the address, and the length of the longest matching
// prefix.
func scopeOf(a netip.Addr) (narrowest scope, bits int) {
	for _, n := range networks() {
		prefix := netip.MustParsePrefix(n.prefix)
		switch {
		case !prefix.Contains(a) || n.scope < narrowest:
		case n.scope > narrowest:
			narrowest, bits = n.scope, prefix.Bits()
		default:
			bits = max(bits, prefix.Bits())
		}
	}
	return narrowest, bits
}

// embedding is a range of IPv6 addresses that contain IPv4 addresses.
type embedding struct {
	prefix, source string
	// at contains the offsets of the IPv4 addresses. A negative offset means that the bits are inverted.
	at []int
}

func embeddings() []embedding {
	return []embedding{
		{"::ffff:0:0:0/96", "RFC 2765, 2.1: IPv4-translated", []int{12}},
		{"::/96", "RFC 4291, 2.5.5.1: IPv4-compatible, deprecated", []int{12}},
		{"64:ff9b::/96", "RFC 6052, 2.1: NAT64", []int{12}},
		{"64:ff9b:1::/48", "RFC 8215 with the format of RFC 6052, 2.2 for 96 bits", []int{12}},
		{"2001::/32", "RFC 4380, 4: Teredo; the server, and the client inverted", []int{4, -12}},
		{"2002::/16", "RFC 3056, 2: 6to4", []int{2}},
	}
}

// forms returns the address without a zone, and the IPv4 addresses that it embeds. It converts an IPv4-mapped address
// to IPv4.
func forms(a netip.Addr) []netip.Addr {
	a = a.Unmap().WithZone("")
	all := []netip.Addr{a}
	if !a.Is6() || a.IsUnspecified() || a.IsLoopback() {
		return all
	}
	b := a.As16()
	for _, e := range embeddings() {
		if !netip.MustParsePrefix(e.prefix).Contains(a) {
			continue
		}
		for _, at := range e.at {
			all = append(all, embedded(b, at))
		}
	}
	// RFC 5214, 6.1: an ISATAP interface identifier consists of 00-00-5E-FE or 02-00-5E-FE and the IPv4 address.
	if b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe {
		all = append(all, embedded(b, 12))
	}
	return all
}

func embedded(b [16]byte, at int) netip.Addr {
	mask := byte(0)
	if at < 0 {
		at, mask = -at, 0xff
	}
	return netip.AddrFrom4([4]byte{b[at] ^ mask, b[at+1] ^ mask, b[at+2] ^ mask, b[at+3] ^ mask})
}
