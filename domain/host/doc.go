// Package host decides which host serves which machine, and what to do next with a machine and its host.
//
// A host is an entry of an inventory. A machine claims a host, boots its bootstrap data there, and releases the host
// when it is deleted. All functions are pure: they read neither the clock nor a host, and the same arguments give the
// same result. Adapters observe, and carry out one operation at a time.
//
// Two rules keep a host from serving two machines, and bootstrap data from running twice:
//
//   - A machine boots only on a host whose claim has the ID of the machine's claim.
//   - Before the data is sent, a machine may change its host. Afterwards it never does.
package host
