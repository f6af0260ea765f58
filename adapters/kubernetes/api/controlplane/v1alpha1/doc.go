// Package v1alpha1 contains the API types of controlplane.machineadm.io/v1alpha1: a control plane whose machines boot
// any operating system, and its template for a ClusterClass.
//
// The kinds follow contract v1beta2 of Cluster API only. Cluster API reads the contract of a control plane from the
// labels of its definition, and picks one at random if there are two.
//
// Cluster API never restores a status. Therefore everything in the status can be observed again, and what cannot is in
// annotations of the objects.
//
// The API server sets no defaults and no field is immutable: the topology controller applies dry runs, and backups are
// restored in any order. Schemas limit what a field can contain, and the controller reports other mistakes as findings.
//
// +kubebuilder:object:generate=true
// +groupName=controlplane.machineadm.io
package v1alpha1
