//go:build linux

package main

import "testing"

// TestVirtualFlags checks the flags of virtual machines.
func TestVirtualFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args    []string
		enabled bool
		message string
	}{
		"none":          {},
		"directory":     {args: []string{"--virtual-machines=/srv/images"}, enabled: true},
		"bridge":        {args: []string{"--virtual-machines=/srv/images", "--virtual-bridge=virbr0"}, enabled: true},
		"relative path": {args: []string{"--virtual-machines=i"}, message: "--virtual-machines: use an absolute path"},
	} {
		o, err := parse(c.args)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		drivers, err := o.hosts.drivers(t.Context())
		if (drivers.VirtualMachines != nil) != c.enabled || (err != nil) != (c.message != "") ||
			err != nil && err.Error() != c.message {
			t.Errorf("%s: %v, %v", name, drivers.VirtualMachines, err)
		}
	}
}
