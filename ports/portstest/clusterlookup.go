package portstest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// ClusterLookupStore is an empty management cluster under test.
type ClusterLookupStore struct {
	Lookup ports.ClusterLookup
	// PutMachine stores a Machine or MachinePool of a configuration, and the configuration.
	PutMachine func(config ports.Owner, m ports.Machine)
	// PutCluster stores a cluster, with control plane machines that have its addresses and its oldest version.
	PutCluster func(ports.Cluster)
}

// ClusterLookup checks an implementation.
func ClusterLookup(t *testing.T, fresh func(t *testing.T) ClusterLookupStore) {
	t.Run("nothing is found in an empty cluster", func(t *testing.T) {
		store := fresh(t)
		_, err := store.Lookup.Machine(t.Context(), lookupOwner("1"))
		want(t, "machine", err, ports.ErrNoOwner)
		_, err = store.Lookup.Cluster(t.Context(), cluster())
		want(t, "cluster", err, ports.ErrNoCluster)
	})
	for name, m := range lookupMachines() {
		t.Run(name, func(t *testing.T) {
			store := fresh(t)
			store.PutMachine(lookupOwner("1"), m)
			got, err := store.Lookup.Machine(t.Context(), lookupOwner("1"))
			want(t, "machine", err, nil)
			if diff := cmp.Diff(m, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("machine (-want +got):\n%s", diff)
			}
			_, err = store.Lookup.Machine(t.Context(), lookupOwner("2"))
			want(t, "machine of a configuration that was created again", err, ports.ErrNoOwner)
		})
	}
	for name, c := range lookupClusters() {
		t.Run(name, func(t *testing.T) {
			store := fresh(t)
			store.PutCluster(c)
			got, err := store.Lookup.Cluster(t.Context(), c.Key)
			want(t, "cluster", err, nil)
			if diff := cmp.Diff(c, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("cluster (-want +got):\n%s", diff)
			}
		})
	}
}

func lookupOwner(uid string) ports.Owner {
	return ports.Owner{Key: ports.Key{Namespace: cluster().Namespace, Name: "config"}, UID: uid}
}

func lookupMachines() map[string]ports.Machine {
	return map[string]ports.Machine{
		"worker":  {Name: "m", ClusterName: "c1", Version: "v1.36.3"},
		"booting": {Name: "m", ClusterName: "c1", Version: "v1.36.3", DataSecretName: "data", Infrastructure: "AWSMachine"},
		"control plane node": {
			Name: "m", ClusterName: "c1", ControlPlane: true, Joined: true,
			Addresses: []string{"192.0.2.1", "10.0.0.1"},
		},
		"pool":          {Name: "p", ClusterName: "c1", Pool: true, Version: "v1.36.3", Infrastructure: "AWSMachinePool"},
		"complete pool": {Name: "p", ClusterName: "c1", Pool: true, DataSecretName: "data", Joined: true},
	}
}

func lookupClusters() map[string]ports.Cluster {
	key := cluster()
	network := node.Cluster{Name: key.Name}
	managed := ports.ControlPlaneEvidence{Provider: "KubeadmControlPlane"}
	return map[string]ports.Cluster{
		"new cluster": {Key: key, Network: network, StandAlone: true},
		"cluster with a network": {Key: key, StandAlone: true, Network: node.Cluster{
			Name: key.Name, Endpoint: "192.0.2.10:6443", PodSubnets: []string{"10.1.0.0/16"},
			ServiceSubnets: []string{"10.2.0.0/16"}, DNSDomain: "cluster.local",
		}},
		"managed cluster": {
			Key: key, Network: network, InfrastructureReady: true, Initialized: true, ControlPlane: managed,
			Addresses: []string{"10.0.0.1", "10.0.0.2"}, OldestVersion: "v1.35.1",
		},
		"paused cluster":        {Key: key, Network: network, Paused: true, ControlPlane: managed},
		"cluster being deleted": {Key: key, Network: network, Deleting: true, ControlPlane: managed},
		"cluster with a setting": {
			Key: key, Network: network, ControlPlane: ports.ControlPlaneEvidence{Setting: "Talos", Provider: "Other"},
		},
		"cluster of a machine without a control plane object": {
			Key: key, Network: network, StandAlone: true, OldestVersion: "v1.36.3",
			ControlPlane: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{{Name: "m1", Distribution: "talos"}}},
		},
		"cluster of another provider's machine": {
			Key: key, Network: network, StandAlone: true, OldestVersion: "v1.36.3",
			ControlPlane: ports.ControlPlaneEvidence{Machines: []ports.MachineEvidence{{Name: "m1", Config: "KubeadmConfig"}}},
		},
	}
}
