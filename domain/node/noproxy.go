package node

import (
	"net"
	"net/netip"
	"slices"
)

// defaultDNSDomain is the default of Cluster.DNSDomain.
const defaultDNSDomain = "cluster.local"

// DirectHosts returns the hosts and domains that a machine of the cluster must reach without a proxy: the machine
// itself, the API server, and the domain of Services. They have the notation of the variable no_proxy. Fields that are
// not set or not valid add nothing.
func (c Cluster) DirectHosts() []string {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	if host, _, err := net.SplitHostPort(c.Endpoint); err == nil && isHost(host) {
		hosts = append(hosts, host)
	}
	domain := c.DNSDomain
	if domain == "" {
		domain = defaultDNSDomain
	}
	if isSubdomain(domain) {
		hosts = append(hosts, "."+domain)
	}
	return hosts
}

// DirectServices is DirectHosts for Pods and Services: their subnets, and the end of the short names of Services.
func (c Cluster) DirectServices() []string {
	subnets := slices.DeleteFunc(slices.Concat(c.PodSubnets, c.ServiceSubnets), func(s string) bool {
		_, err := netip.ParsePrefix(s)
		return err != nil
	})
	return append(subnets, ".svc")
}
