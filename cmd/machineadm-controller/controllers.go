package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// The controllers that a manager can run.
const (
	bootstrapControllers    = "bootstrap"
	controlPlaneControllers = "control-plane"
	hostControllers         = "hosts"
)

// allControllers returns the names of all controllers.
func allControllers() []string {
	return []string{bootstrapControllers, controlPlaneControllers, hostControllers}
}

// controllers is the value of the flag --controllers.
type controllers []string

var _ pflag.Value = (*controllers)(nil)

// Set replaces the list by names that are separated by commas.
func (c *controllers) Set(text string) error {
	names := strings.Split(text, ",")
	for _, name := range names {
		if !slices.Contains(allControllers(), name) {
			return fmt.Errorf("%q is not one of %s", name, strings.Join(allControllers(), ", "))
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
	for _, name := range allControllers() {
		if c.includes(name) {
			return "machineadm-" + name + "-manager"
		}
	}
	return "machineadm-manager"
}
