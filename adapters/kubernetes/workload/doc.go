// Package workload reaches the workload cluster of a control plane: its API server, the objects of kubeadm, and the
// etcd members, through port-forwards to their static Pods.
//
// A workload cluster is not trusted. Each request has a deadline, each connection a limit of bytes, and text that
// leaves this package is bounded and cleaned.
package workload
