// Package etcd takes a machine out of its cluster's etcd before the machine's data are lost.
//
// kubeadm reset does that, too, but not surely: if the members do not answer it warns, and removes the data all the
// same; it waits two seconds for the list of them (kubeadm v1.36 and v1.37, app/util/etcd.listMembers). The cluster
// then counts on a member that never comes back. Of two members the one that is left has no majority any more, which
// nothing but a backup mends.
package etcd
