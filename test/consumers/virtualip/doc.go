// Package virtualip contains tests of virtual IPs with the real kube-vip: machines are network namespaces, and the
// program runs with the settings of the static Pod that the machine gets. It needs root.
package virtualip
