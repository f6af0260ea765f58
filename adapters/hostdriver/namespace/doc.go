// Package namespace creates machines in Linux namespaces of this host. Each has namespaces of processes, mounts,
// network, host name, IPC and control groups, and a writable layer over a read-only root file system, from which it
// starts the real init. It isolates nothing from root in the machine, and is for tests and laptops.
//
// The driver has no daemon. For each machine it starts its own program a second time, as a supervisor (Main). The
// supervisor outlives the controller, and starts the program a third time as the first process of the machine. This
// process mounts the file systems of the machine and replaces itself by the init.
//
// The machine NAME of the namespace NAMESPACE has the directory machines/NAMESPACE/NAME below the driver's directory:
//
//	lock                the lock of all changes
//	claim               the ID of the claim
//	ID/machine.json     what the supervisor needs; no secrets
//	ID/started          exists once the machine was started
//	ID/rebooted         exists once the machine was started again
//	ID/failure          why the machine did not start
//	ID/lock             locked by the supervisor as long as it exists; the kernel names the holder
//	ID/release          exists once the release began, and ID/released is its error
//	ID/run              /run/cluster-api of the machine; it survives a reboot
//	ID/ignition         the Ignition configuration, until Ignition has run
//	ID/upper, ID/work   the writable layer
//	ID/volumes          directories that cannot be part of the layer, because containerd stacks layers on them
//
// The links in machines/.addresses have the numbers of addresses and lead to the claims that have them.
// Only root can read these directories.
package namespace
