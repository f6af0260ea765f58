// Package v1alpha1 contains the API types of infrastructure.machineadm.io/v1alpha1: an inventory of hosts, and the
// clusters and machines that use it.
//
// The kinds follow both contract versions of Cluster API, v1beta1 and v1beta2. Cluster API never restores a status, so
// everything that the controller cannot observe again is in the spec: the claim of a machine and of a host, the time of
// sending, and the reason why a host is unavailable.
//
// The API server sets no defaults and no field is immutable: the topology controller applies dry runs, and backups are
// restored in any order. Schemas limit what a field can contain.
//
// +kubebuilder:object:generate=true
// +groupName=infrastructure.machineadm.io
package v1alpha1
