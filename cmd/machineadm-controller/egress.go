package main

import (
	"fmt"
	"net"
	"net/netip"
	"os"

	"github.com/machineadm/machineadm/domain/egress"
)

// readEgress reads the flags about the servers that storages may use.
func (o *options) readEgress() error {
	policy, err := egress.Parse(o.storageEndpoints)
	if err != nil {
		return fmt.Errorf("--storage-endpoints: %w", err)
	}
	networks, err := parseNetworks(o.privateNetworks)
	if err != nil {
		return fmt.Errorf("--private-networks: %w", err)
	}
	o.egress = policy.WithPrivate(append(networks, privateNetworks()...)...)
	return nil
}

func parseNetworks(texts []string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, text := range without(texts, none) {
		n, err := netip.ParsePrefix(text)
		// An IPv4-mapped network would hold no address: they are compared in their own form.
		if err != nil || n.Addr().Is4In6() {
			return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8", text)
		}
		networks = append(networks, n.Masked())
	}
	return networks, nil
}

// privateNetworks returns what the program knows of the cluster's networks: the API server's address, and its own
// addresses with what is on their links. They need not be private ones.
func privateNetworks() []netip.Prefix {
	var networks []netip.Prefix
	if a, err := netip.ParseAddr(os.Getenv("KUBERNETES_SERVICE_HOST")); err == nil {
		networks = append(networks, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return networks
	}
	for _, address := range own {
		if n, err := netip.ParsePrefix(address.String()); err == nil {
			networks = append(networks, n.Masked())
		}
	}
	return networks
}
