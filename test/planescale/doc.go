// Package planescale measures control planes of many clusters. Their machines, API servers and etcd members are in
// memory (test/inmemory). The management cluster, Cluster API and the providers of control planes are real programs.
package planescale
