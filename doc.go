// Package machineadm is the front page of this module. It has no code.
//
// machineadm turns one description of a Kubernetes machine into what the operating system of that machine reads at its
// first boot. Start at package domain/document for the words, at domain/plan for the order, at ports for the seams and
// at cmd/internal/catalog for the lists of formats and plugins; ARCHITECTURE.md has the map.
//
// The test of this package holds the module's dependency rule.
package machineadm
