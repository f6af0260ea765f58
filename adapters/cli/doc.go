// Package cli implements the commands of machineadmctl. It reads the manifests that a user would apply to a cluster,
// runs the controller's use cases with the ports of the cluster in memory, and prints the results.
//
// Certificates, tokens and endpoints that the manifests do not contain are replaced by placeholders, which are computed
// from the name of the cluster: the same manifests always produce the same bytes.
//
// Exit codes are 0 for success, 1 for failures and findings of severity error, 2 for wrong usage, and 3 for warnings
// with --strict.
package cli
