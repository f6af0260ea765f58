// Package etcdmembers observes and changes etcd members through a session with each of them. How a session reaches its
// member depends on the control plane type.
//
// Each member itself is asked whether it responds: the list of one member contains those that stopped. Members are not
// trusted, and their text is bounded and cleaned.
package etcdmembers
