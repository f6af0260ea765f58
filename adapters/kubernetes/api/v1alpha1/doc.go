// Package v1alpha1 holds the API types of bootstrap.machineadm.io/v1alpha1.
//
// A config says four things apart from each other: what Kubernetes needs of the machine (spec.node, spec.controlPlane),
// what its operating system shall be like (spec.machine), which operating system that is (spec.os), and in which format
// all this is said (spec.format). Each group of the spec is the spec type of a small kind of its own, so that the same
// words may later stand in an object of their own.
//
// Nothing in these types is filled in by the API server, and nothing is immutable: published bootstrap data is not made
// again when the spec changes. Schemas say what a field may hold; what is wrong on a certain machine is found when the
// config is converted and rendered, and told in conditions.
//
// +kubebuilder:object:generate=true
// +groupName=bootstrap.machineadm.io
package v1alpha1

//go:generate go tool -modfile=../../../../go.tool.mod controller-gen object crd:maxDescLen=1024 paths=. output:crd:dir=../../../../config/crd/bases
