// Package etcd removes a machine from the etcd cluster of its control plane before the machine's data is deleted.
//
// kubeadm reset also removes the member, but not reliably: if the members do not answer within two seconds, it prints a
// warning and deletes the data (kubeadm v1.36 and v1.37, app/util/etcd.listMembers). The cluster then contains a member
// that never comes back. A cluster of two members loses its quorum, and can only be restored from a backup.
package etcd
