package memory

import (
	"context"
	"sync"

	"github.com/machineadm/machineadm/ports"
)

// ClusterLookup implements ports.ClusterLookup. The zero value is ready to use.
type ClusterLookup struct {
	mutex    sync.Mutex
	machines map[ports.Owner]ports.Machine
	clusters map[ports.Key]ports.Cluster
}

// PutMachine stores the Machine or MachinePool of a configuration.
func (l *ClusterLookup) PutMachine(config ports.Owner, m ports.Machine) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.machines == nil {
		l.machines = map[ports.Owner]ports.Machine{}
	}
	l.machines[config] = m
}

// PutCluster stores a cluster.
func (l *ClusterLookup) PutCluster(c ports.Cluster) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.clusters == nil {
		l.clusters = map[ports.Key]ports.Cluster{}
	}
	l.clusters[c.Key] = c
}

// Machine returns the machine that was stored for the configuration, or ErrNoOwner.
func (l *ClusterLookup) Machine(_ context.Context, config ports.Owner) (ports.Machine, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	m, found := l.machines[config]
	if !found {
		return ports.Machine{}, ports.ErrNoOwner
	}
	return m, nil
}

// Cluster returns the stored cluster, or ErrNoCluster.
func (l *ClusterLookup) Cluster(_ context.Context, key ports.Key) (ports.Cluster, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	c, found := l.clusters[key]
	if !found {
		return ports.Cluster{}, ports.ErrNoCluster
	}
	return c, nil
}
