package memory

import (
	"context"
	"sync"

	"github.com/machineadm/machineadm/ports"
)

// InitLock locks. The zero value is ready to use, and free.
type InitLock struct {
	// Gone reports whether a machine is gone; nil means that none is.
	Gone func(cluster ports.Key, machine string) bool

	mutex   sync.Mutex
	holders map[ports.Key]string
}

// Acquire takes the lock.
func (l *InitLock) Acquire(_ context.Context, cluster ports.Key, machine string) (string, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	holder, held := l.holders[cluster]
	if held && holder != machine && (l.Gone == nil || !l.Gone(cluster, holder)) {
		return holder, ports.ErrLocked
	}
	if l.holders == nil {
		l.holders = map[ports.Key]string{}
	}
	l.holders[cluster] = machine
	return machine, nil
}

// Release frees the lock.
func (l *InitLock) Release(_ context.Context, cluster ports.Key, machine string) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if machine == "" || l.holders[cluster] == machine {
		delete(l.holders, cluster)
	}
	return nil
}

// Holder returns the machine that holds the cluster's lock, or nothing.
func (l *InitLock) Holder(cluster ports.Key) string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.holders[cluster]
}
