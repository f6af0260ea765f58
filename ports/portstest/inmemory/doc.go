// Package inmemory has the cluster's ports as values in memory: for tests, and for the command line, which has no
// cluster.
//
// All of it is deterministic: the same calls give the same answers, keys and certificates included. Nothing that it
// makes is fit to protect a real cluster.
package inmemory
