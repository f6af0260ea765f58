package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// The controllers that a manager can run.
const (
	bootstrapControllers = "bootstrap"
	hostControllers      = "hosts"
)

// controllers is the value of the flag --controllers.
type controllers []string

var _ pflag.Value = (*controllers)(nil)

// Set replaces the list by names that are separated by commas.
func (c *controllers) Set(text string) error {
	names := strings.Split(text, ",")
	for _, name := range names {
		if name != bootstrapControllers && name != hostControllers {
			return fmt.Errorf("%q is not %s or %s", name, bootstrapControllers, hostControllers)
		}
	}
	*c = names
	return nil
}

// String returns the list in the form of Set.
func (c *controllers) String() string { return strings.Join(*c, ",") }

// Type returns the placeholder of the value in the help text.
func (c *controllers) Type() string { return "names" }

func (c *controllers) includes(name string) bool { return slices.Contains(*c, name) }

// managerName returns the name of the manager in leases and for the API server.
func (c *controllers) managerName() string {
	if c.includes(bootstrapControllers) {
		return "machineadm-bootstrap-manager"
	}
	return "machineadm-hosts-manager"
}
