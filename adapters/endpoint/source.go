package endpoint

import "net/netip"

// levels is how many networks of a source are counted.
const levels = 3

// networks returns the networks of a client, the widest first; the last is the source itself. A site gets a /48 of
// IPv6, a customer a /56 and a link a /64 (RFC 6177; RFC 4291, section 2.5.4), and each has all addresses of it. An
// address of IPv4, also if the listener shows it as one of IPv6, is one source. Addresses that cannot be read are one
// source together.
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
		// The address has as many bits.
		all[i], _ = ip.Prefix(n)
	}
	return all
}
