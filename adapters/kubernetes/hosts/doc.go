// Package hosts contains the controllers of the infrastructure provider for hosts: of HostMachines, Hosts, HostClusters
// and HostMachineTemplates. The use cases of app/hosts decide; this package reads and writes the objects.
package hosts
