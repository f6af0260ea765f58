package main

import (
	"errors"
	"path/filepath"

	"github.com/machineadm/machineadm/adapters/hostdriver/namespace"
	"github.com/machineadm/machineadm/app/hosts"
)

// runMachine runs the program as a part of a machine in namespaces, if the arguments request it.
func runMachine(args []string) (code int, requested bool) { return namespace.Main(args) }

// driver returns the driver of machines in namespaces, or nil if it is disabled.
func (o *namespaceOptions) driver() (hosts.Driver, error) {
	if o.directory == "" {
		return nil, nil
	}
	if !filepath.IsAbs(o.directory) {
		return nil, errors.New("--namespace-machines: use an absolute path")
	}
	subnets, nameservers, err := o.network()
	if err != nil {
		return nil, err
	}
	return namespace.New(namespace.Config{Directory: o.directory, Network: namespace.Network{
		Bridge: o.bridge, Subnets: subnets, Nameservers: nameservers,
	}}), nil
}
