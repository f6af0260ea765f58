//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestNamespaceFlags checks the flags of machines in namespaces.
func TestNamespaceFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args    []string
		enabled bool
		message string
	}{
		"none":      {},
		"directory": {args: []string{"--namespace-machines=/srv/machines"}, enabled: true},
		"both protocols": {
			args:    []string{"--namespace-machines=/srv/machines", "--namespace-subnets=10.9.0.0/24,fd00::/64"},
			enabled: true,
		},
		"relative path": {
			args:    []string{"--namespace-machines=machines"},
			message: "--namespace-machines: use an absolute path",
		},
		"invalid subnet": {
			args:    []string{"--namespace-machines=/m", "--namespace-subnets=10.9"},
			message: "--namespace-subnets",
		},
		"invalid server": {
			args:    []string{"--namespace-machines=/m", "--namespace-nameservers=a"},
			message: "--namespace-nameservers",
		},
	} {
		o, err := parse(c.args)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		drivers, err := o.hosts.drivers(t.Context())
		if (drivers.Namespaces != nil) != c.enabled || (err != nil) != (c.message != "") ||
			err != nil && !strings.HasPrefix(err.Error(), c.message) {
			t.Errorf("%s: %v, %v", name, drivers.Namespaces, err)
		}
	}
}
