// Package controlplane decides what to do next with the machines of a control plane.
//
// Plan compares the desired control plane with an observation of it, and returns one operation and its reason. All
// functions are pure: the same arguments give the same result. Adapters observe, and carry out one operation at a time.
// Nothing is remembered between two decisions, so a controller can stop at any point.
//
// Three rules protect a control plane with stacked etcd:
//
//   - A voting member is removed only if the members that respond without it are a quorum of the members that remain.
//   - A machine is created only while all voting members respond. Etcd adds no member otherwise.
//   - The last member is never removed. Its replacement is created first.
package controlplane
