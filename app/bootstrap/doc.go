// Package bootstrap is the use case that produces and maintains a machine's bootstrap data. It decides how the machine
// joins its cluster, looks up certificates, creates a token, renders the machine's documents and publishes the result.
//
// The controller and machineadmctl use the same code with different ports.
package bootstrap
