// Package v1alpha1 contains the API types of bootstrap.machineadm.io/v1alpha1.
//
// A MachineBootstrapConfig has four separate groups of fields: what Kubernetes needs from the machine (spec.node,
// spec.controlPlane), how its operating system is configured (spec.machine), which operating system it is (spec.os),
// and the output format (spec.format). The groups that are also kinds of plugins share their spec types with those
// kinds.
//
// The API server sets no defaults and no field is immutable: published bootstrap data is not regenerated when the spec
// changes. Schemas limit what a field can contain. Conversion and rendering find what is invalid for a certain machine,
// and conditions report it.
//
// +kubebuilder:object:generate=true
// +groupName=bootstrap.machineadm.io
package v1alpha1
