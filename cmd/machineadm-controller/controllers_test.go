package main

import "testing"

// TestControllersFlag checks which controllers a manager runs, and that managers of different controllers have
// different leases.
func TestControllersFlag(t *testing.T) {
	cases := map[string]struct {
		reason           string
		args             []string
		bootstrap, hosts bool
		controlPlane     bool
		manager          string
		invalid          bool
	}{
		"default": {reason: "as before the flag existed", bootstrap: true, manager: "machineadm-bootstrap-manager"},
		"hosts":   {args: []string{"--controllers=hosts"}, hosts: true, manager: "machineadm-hosts-manager"},
		"both": {
			reason: "one process for a laptop", args: []string{"--controllers=bootstrap,hosts"}, bootstrap: true,
			hosts: true, manager: "machineadm-bootstrap-manager",
		},
		"control planes": {
			args: []string{"--controllers=control-plane"}, controlPlane: true, manager: "machineadm-control-plane-manager",
		},
		"unknown": {args: []string{"--controllers=host"}, invalid: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o, err := parse(c.args)
			if (err != nil) != c.invalid {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if err != nil {
				return
			}
			got := &o.controllers
			if got.includes(bootstrapControllers) != c.bootstrap || got.includes(hostControllers) != c.hosts ||
				got.includes(controlPlaneControllers) != c.controlPlane ||
				got.managerName() != c.manager {
				t.Errorf("%s: %q, %s", c.reason, *got, got.managerName())
			}
		})
	}
}
