// Package integration holds the controller to the bootstrap contract of Cluster API: a real kube-apiserver and etcd,
// the real core manager under its shipped role and our aggregated rules, and our manager under its own.
//
// Each numbered step of the contract's "Behavior" and each rule of its table has a test that is named after it.
package integration
