package endpoint

import "net/netip"

// levels is the number of networks that are counted for each source.
const levels = 3

// networks returns the networks of a client, the widest first; the last one is the source itself. In IPv6 a site has a
// /48, a customer a /56 and a link a /64 (RFC 6177; RFC 4291, section 2.5.4), with all addresses in it. An IPv4 address
// is one source, also if it is mapped to IPv6. All invalid addresses together are one source.
func networks(address string) [levels]netip.Prefix {
	client, err := netip.ParseAddrPort(address)
	if err != nil {
		return [levels]netip.Prefix{}
	}
	ip, bits := client.Addr().Unmap().WithZone(""), [levels]int{48, 56, 64}
	if ip.Is4() {
		bits = [levels]int{32, 32, 32}
	}
	var all [levels]netip.Prefix
	for i, n := range bits {
		// The address has at least n bits, so there is no error.
		all[i], _ = ip.Prefix(n)
	}
	return all
}
