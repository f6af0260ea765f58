// Package controlplane starts the real parts of a management cluster on loopback: etcd, kube-apiserver, the core
// Cluster API manager, and a small fake infrastructure provider.
//
// The API server's certificates are signed by a CA whose key the package holds, so that one API server serves both as
// the management cluster and as the workload cluster of a Cluster: the core manager creates a kubeconfig from the
// Secret <cluster>-ca and connects with it.
package controlplane
