// Package capi implements the ports of the cluster on the objects that Cluster API defines: Clusters and Machines, the
// Secrets and the init lock that the machines of a cluster share, bootstrap data Secrets, and the bootstrap tokens of
// workload clusters. Reports of machines are in the status of their MachineBootstrapConfigs.
//
// Names and shapes of shared objects are those of the kubeadm and Talos bootstrap providers, so that machines of
// several providers can be in one cluster.
package capi
