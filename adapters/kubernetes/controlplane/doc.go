// Package controlplane reads and changes the objects of control planes in the management cluster: the
// MachineadmControlPlane, its Machines, their bootstrap configs and their infrastructure machines.
//
// The package applies objects with two field managers. One owns the specification, and what the controller needs. The
// other owns the labels and annotations that users specify for infrastructure machines and bootstrap configs. So a
// label that a user removes is removed from existing objects, and nothing else of them changes.
//
// Reads come from the cache. A method that changes an object returns after the cache contains the change. Before a
// machine is created, the Machines are also listed from the API server: a cache can be stale after a restart.
package controlplane
