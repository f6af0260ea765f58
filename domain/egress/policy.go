package egress

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// AWS is the entry in a list of endpoints that allows the endpoints of Amazon S3.
const AWS = "aws"

// The schemes of endpoints.
const (
	HTTP  = "http"
	HTTPS = "https"
)

// anyPort in a rule matches every port.
const anyPort = 0

// rule is an entry of the list.
type rule struct {
	scheme string
	port   uint16
	aws    bool
	// One of host, suffix and network is set: an exact name, the end of names, or a range of addresses.
	host, suffix string
	network      netip.Prefix
}

// Policy is a list of allowed endpoints. The zero Policy allows none.
type Policy struct {
	rules   []rule
	private []netip.Prefix
}

// Parse parses a list of endpoints. An entry is "aws", or [SCHEME://]HOST[:PORT] as in a content security policy:
//
//   - SCHEME is https, which is the default, or http.
//   - HOST is a name, *.DOMAIN for all names below a domain, * for every host, an address, or a network such as
//     10.0.0.0/8. IPv6 addresses and networks are in brackets if a port follows.
//   - PORT is a number, or * for every port. The default is that of the scheme.
func Parse(entries []string) (Policy, error) {
	var p Policy
	for _, text := range entries {
		r, err := parseRule(text)
		if err != nil {
			return Policy{}, fmt.Errorf("%q is not an endpoint: %w", text, err)
		}
		p.rules = append(p.rules, r)
	}
	return p, nil
}

// WithPrivate returns the policy with additional networks that are treated as private, also if their addresses are
// public.
func (p Policy) WithPrivate(networks ...netip.Prefix) Policy {
	p.private = append(slices.Clone(p.private), networks...)
	return p
}

func parseRule(text string) (rule, error) {
	if text == AWS {
		return rule{scheme: HTTPS, port: 443, aws: true}, nil
	}
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		scheme, rest = HTTPS, text
	}
	if scheme != HTTP && scheme != HTTPS {
		return rule{}, fmt.Errorf("the scheme %q is neither http nor https", scheme)
	}
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]"), ""
	}
	r := rule{scheme: scheme}
	if r.port, err = parsePort(scheme, port, err == nil); err != nil {
		return rule{}, err
	}
	return r, r.setHost(host)
}

func parsePort(scheme, port string, given bool) (uint16, error) {
	switch {
	case !given && scheme == HTTP:
		return 80, nil
	case !given:
		return 443, nil
	case port == "*":
		return anyPort, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is not a port; use a number or *", port)
	}
	return uint16(n), nil
}

var namePattern = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

// numberPattern matches the end of hosts that are not names: proxies and libraries in C read 127.1, 0x7f.1 and
// 2130706433 as IPv4 addresses (URL Standard, 3.5: the ends-in-a-number checker).
var numberPattern = regexp.MustCompile(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)

// isName reports whether a host in lower case is the name of a host.
func isName(host string) bool {
	return namePattern.MatchString(host) && !numberPattern.MatchString(host)
}

func (r *rule) setHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		a = a.Unmap().WithZone("")
		r.network = netip.PrefixFrom(a, a.BitLen())
		return nil
	}
	if strings.Contains(host, "/") {
		n, err := netip.ParsePrefix(host)
		if err != nil || n != n.Masked() || n.Addr().Is4In6() {
			return fmt.Errorf("%s is not a network; use the form 10.0.0.0/8, with zeros after the prefix", host)
		}
		r.network = n
		return nil
	}
	if host == "*" {
		r.suffix = host
		return nil
	}
	host = normal(host)
	domain, wildcard := strings.CutPrefix(host, "*.")
	switch {
	case !isName(domain):
		return fmt.Errorf("%q is not a host name, an address or a network", host)
	case wildcard:
		r.suffix = "." + domain
	default:
		r.host = host
	}
	return nil
}

// normal returns the host with ASCII letters in lower case, for comparison. It does not change other letters, because
// their lower case may be another domain name: İ becomes i.
func normal(host string) string {
	return strings.TrimSuffix(strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, host), ".")
}

// meets reports whether the rule applies to the scheme and the port.
func (r rule) meets(scheme string, port uint16) bool {
	return r.scheme == scheme && (r.port == anyPort || r.port == port)
}

// Grant contains the IP addresses that requests to an endpoint may connect to.
type Grant struct {
	policy Policy
	scheme string
	port   uint16
	named  bool
	exact  bool
}

// Named reports whether the administrator listed the endpoint itself: as "aws", by its exact name, or by its address. A
// network does not name its addresses.
func (g Grant) Named() bool { return g.named }

// Endpoint returns the grant for requests to the endpoint, a URL of a scheme, a host and an optional port. The error
// names the host. It is returned for other URLs, and for endpoints that are not listed.
func (p Policy) Endpoint(u *url.URL) (Grant, error) {
	g := Grant{policy: p, scheme: u.Scheme}
	if u.Scheme != HTTP && u.Scheme != HTTPS || u.Host == "" || u.Hostname() == "" {
		return g, fmt.Errorf("%q is not an http or https URL with a host", u.Redacted())
	}
	if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return g, fmt.Errorf("the URL of %s has a user, a path, a query or a fragment", u.Host)
	}
	port, err := parsePort(u.Scheme, u.Port(), u.Port() != "")
	if err != nil || port == anyPort {
		return g, fmt.Errorf("%q is not a port", u.Port())
	}
	g.port = port
	if !p.admits(&g, normal(u.Hostname())) {
		return g, fmt.Errorf("%s://%s is not a listed endpoint", u.Scheme, u.Host)
	}
	return g, nil
}

// admits reports whether a rule lists the host, and sets the fields of the grant that depend on the type of the rule.
func (p Policy) admits(g *Grant, host string) bool {
	address, err := netip.ParseAddr(host)
	literal := err == nil
	if !literal && !isName(host) {
		return false
	}
	var admitted bool
	for _, r := range p.rules {
		if !r.meets(g.scheme, g.port) || !r.lists(host, address, literal) {
			continue
		}
		admitted = true
		g.exact = g.exact || r.host != ""
		g.named = g.named || r.aws || r.host != "" || r.network.IsSingleIP()
	}
	return admitted && (!literal || g.Check(address) == nil)
}

func (r rule) lists(host string, address netip.Addr, literal bool) bool {
	switch {
	case r.suffix == "*":
		return true
	case r.network.IsValid():
		return literal && slices.ContainsFunc(forms(address), r.network.Contains)
	case literal:
		return false
	case r.aws:
		return isAWS(host)
	case r.suffix != "":
		return strings.HasSuffix(host, r.suffix)
	default:
		return host == r.host
	}
}

// Check returns ErrLocal or ErrPrivate if requests to the endpoint must not connect to the address. Public addresses
// are allowed. Private addresses are allowed if they, or the exact name of the endpoint, are listed. Local addresses
// are allowed only if an entry lists local addresses alone, so that 0.0.0.0/0 does not allow loopback. IPv4 addresses
// that are embedded in an IPv6 address must also be allowed.
func (g Grant) Check(a netip.Addr) error {
	for _, form := range forms(a) {
		s, bits := g.policy.scopeOf(form)
		switch {
		case s == public || s == private && (g.exact || g.lists(form, 0)) || s == local && g.lists(form, bits):
		case s == private:
			return ErrPrivate
		default:
			return ErrLocal
		}
	}
	return nil
}

func (p Policy) scopeOf(a netip.Addr) (scope, int) {
	s, bits := scopeOf(a)
	if s == public && slices.ContainsFunc(p.private, func(n netip.Prefix) bool { return n.Contains(a) }) {
		s = private
	}
	return s, bits
}

// lists reports whether a listed network contains the address and has a prefix of at least the given length.
func (g Grant) lists(a netip.Addr, bits int) bool {
	return slices.ContainsFunc(g.policy.rules, func(r rule) bool {
		return r.network.IsValid() && r.meets(g.scheme, g.port) && r.network.Contains(a) && r.network.Bits() >= bits
	})
}
