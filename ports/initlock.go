package ports

import (
	"context"
	"errors"
)

// The errors of InitLock.
var (
	// ErrLocked means that another machine is initializing the cluster.
	ErrLocked = errors.New("another machine holds the lock")
	// ErrInitialized means that the cluster has been initialized in the meantime.
	ErrInitialized = errors.New("the cluster is initialized")
)

// InitLock lets one machine initialize the cluster, while the other control plane machines wait to join. The lock
// outlives the process.
type InitLock interface {
	// Acquire takes the cluster's lock for the machine. It succeeds if the machine already holds the lock, or if the
	// holder no longer exists. The error is ErrLocked if another machine holds the lock; holder is its name. It is
	// ErrInitialized if the cluster was initialized after the caller read its state. It is ErrNotOwned if an object that
	// is not a lock has the lock's name; holder is that object.
	Acquire(ctx context.Context, cluster Key, machine string) (holder string, err error)
	// Release frees the cluster's lock if the machine holds it. If machine is empty, it frees the lock of any holder.
	// It is not an error if the lock is free. An object with the lock's name that is not a lock is left alone, without
	// an error.
	Release(ctx context.Context, cluster Key, machine string) error
}
