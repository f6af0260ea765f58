package main

import (
	"fmt"
	"net/netip"

	"github.com/spf13/pflag"
)

// namespaceOptions are the flags of machines in namespaces.
type namespaceOptions struct {
	directory, bridge    string
	subnets, nameservers []string
}

func (o *namespaceOptions) addFlags(fs *pflag.FlagSet) {
	fs.StringVar(&o.directory, "namespace-machines", "",
		"Absolute path of the directory with the root file systems of machines in namespaces. If it is empty, there are "+
			"no such machines. They require root.")
	fs.StringVar(&o.bridge, "namespace-bridge", "machineadm0", "Name of the network bridge for machines in namespaces.")
	fs.StringSliceVar(&o.subnets, "namespace-subnets", []string{"10.86.0.0/16"},
		"Subnets for machines in namespaces: one of IPv4, one of IPv6, or both.")
	fs.StringSliceVar(&o.nameservers, "namespace-nameservers", nil, "DNS servers for machines in namespaces.")
}

// network returns the subnets and the DNS servers.
func (o *namespaceOptions) network() (subnets []netip.Prefix, nameservers []netip.Addr, err error) {
	for _, text := range o.subnets {
		subnet, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--namespace-subnets: %w", err)
		}
		subnets = append(subnets, subnet)
	}
	for _, text := range o.nameservers {
		server, err := netip.ParseAddr(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--namespace-nameservers: %w", err)
		}
		nameservers = append(nameservers, server)
	}
	return subnets, nameservers, nil
}
