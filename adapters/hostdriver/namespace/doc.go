// Package namespace creates machines in Linux namespaces of this host. Each has namespaces of processes, mounts,
// network, host name, IPC and control groups, and a writable layer over a read-only root file system, from which it
// starts the real init. It isolates nothing from root in the machine, and is for tests and laptops.
//
// The driver has no daemon. For each machine it starts its own program a second time, as a supervisor (Main). The
// supervisor outlives the controller, and starts the program a third time as the first process of the machine. This
// process mounts the file systems of the machine and replaces itself by the init.
//
// Package place describes the directory of a machine. Its directory ID also contains:
//
//	ID/machine.json     what the supervisor needs; no secrets
//	ID/rebooted         exists once the machine was started again
//	ID/failure          why the machine did not start
//	ID/lock             locked by the supervisor as long as it exists; the kernel names the holder
//	ID/run              /run/cluster-api of the machine; it survives a reboot
//	ID/ignition         the Ignition configuration, until Ignition has run
//	ID/upper, ID/work   the writable layer
//	ID/volumes          directories that cannot be part of the layer, because containerd stacks layers on them
//
// The links in machines/.addresses have the numbers of addresses and contain the paths of the directories ID
// of the machines that have them.
package namespace
