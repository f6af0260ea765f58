// Package memory implements the ports of the cluster and of the machine in memory, for machineadmctl, which has no
// cluster, and for tests. The conformance suites of ports/portstest check it.
//
// It is deterministic: the same calls return the same results, including keys and certificates. Anyone can compute
// them, so they protect nothing.
package memory
