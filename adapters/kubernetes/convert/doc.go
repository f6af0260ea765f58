// Package convert converts the API's objects to the domain's documents and target. It does not interpret the documents.
//
// Each document contains the path of its field. The caller's resolver resolves references to Secrets and ConfigMaps,
// which are always in the namespace of the config.
//
// # Operating system profiles
//
// The package also reads and writes operating system profiles as YAML. Users write a profile in a ConfigMap or a file
// to add a distribution, and machineadmctl prints the profiles that are built in.
//
//	apiVersion: bootstrap.machineadm.io/v1alpha1
//	kind: OSProfile
//	extends: flatcar
//	id: my-flatcar
//	name: My Flatcar
//	binDir: /opt/my/bin
//
// A profile that extends another one inherits the facts that it does not set. Lists are replaced as a whole; the fields
// of trust, metadata and sysextArchitectures are replaced one by one.
package convert
