package egress

import (
	"errors"
	"fmt"
	"net/netip"
)

// ErrUnlisted means that an address is in none of the listed networks.
var ErrUnlisted = errors.New("the address is in no listed network")

// Networks are the networks whose addresses tenants may choose for hosts. The zero value contains all addresses that
// are not local: a host is often in a private network.
type Networks struct{ listed []netip.Prefix }

// ParseNetworks parses a list of networks, such as 10.0.0.0/8.
func ParseNetworks(entries []string) (Networks, error) {
	var n Networks
	for _, text := range entries {
		prefix, err := netip.ParsePrefix(text)
		if err != nil || prefix != prefix.Masked() || prefix.Addr().Is4In6() {
			return Networks{}, fmt.Errorf("%q is not a network; use the form 10.0.0.0/8, with zeros after the prefix", text)
		}
		n.listed = append(n.listed, prefix)
	}
	return n, nil
}

// Check returns ErrLocal or ErrUnlisted if hosts must not have the address. As with endpoints, an entry allows local
// addresses only if it lists local addresses alone, and the IPv4 addresses in an IPv6 address must also be allowed.
func (n Networks) Check(a netip.Addr) error {
	for _, form := range forms(a) {
		s, bits := scopeOf(form)
		if s != local {
			bits = 0
		}
		switch {
		case n.lists(form, bits) || len(n.listed) == 0 && s != local:
		case s == local:
			return ErrLocal
		default:
			return ErrUnlisted
		}
	}
	return nil
}

// lists reports whether a network contains the address and has at least this number of bits.
func (n Networks) lists(a netip.Addr, bits int) bool {
	for _, network := range n.listed {
		if network.Bits() >= bits && network.Contains(a) {
			return true
		}
	}
	return false
}
