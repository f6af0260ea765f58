// Package bootstrap is the use case that makes a machine's bootstrap data: it decides what the machine does with its
// cluster, gathers certificates and a token, has the machine's documents rendered and publishes the result.
//
// The cluster's controller and the command line run the same code; only the ports behind it differ.
package bootstrap
