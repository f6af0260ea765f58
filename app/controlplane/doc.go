// Package controlplane reconciles control planes: it observes their machines, etcd members and workload clusters, lets
// domain/controlplane decide, and carries out one operation.
package controlplane
