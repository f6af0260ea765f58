// Package controlplanes contains tests that operate control planes of real nodes, and cause the faults that nodes have.
// Meanwhile, a client polls the API server, and the etcd members are watched. docs/evidence/control-plane-nodes.md
// contains a run. It needs root.
package controlplanes
