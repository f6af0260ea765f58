// Package cli is the terminal: it reads the manifests that one would hand to a cluster, stands in for that cluster in
// memory, and has the very use case of the controller make what it would publish.
//
// Where the manifests hold no certificates, no token and no endpoint, stand-ins are computed of the cluster's name, so
// that the same manifests give the same bytes. Exit codes are 0 for success, 1 for failure, 2 for wrong usage, and 3
// for warnings under --strict.
package cli
