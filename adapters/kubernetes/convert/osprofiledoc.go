// Package osprofiles reads and writes profiles of operating systems as YAML: the form in which users bring a
// distribution that machineadm does not know, in a ConfigMap or a file, and in which machineadmctl shows those that it
// knows.
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
