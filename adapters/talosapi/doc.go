// Package talosapi controls the etcd members of Talos machines through the machine API on port 50000. Talos runs etcd
// as a service, which no Pod represents.
//
// The package uses the generated client of the API and not Talos' own one, which links the keys of other products.
package talosapi
