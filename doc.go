// Package machineadm is the front page of this module. It has no code.
//
// machineadm renders one description of a Kubernetes machine into the text that the operating system of that machine
// reads at its first boot. Start with package domain/document for the terms, domain/plan for the order, ports for the
// interfaces, and cmd/internal/catalog for the lists of formats and plugins; ARCHITECTURE.md contains the map.
//
// The tests of this package check the module's dependency rule.
package machineadm
