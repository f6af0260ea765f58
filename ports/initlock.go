package ports

import (
	"context"
	"errors"
)

// The errors of InitLock.
var (
	// ErrLocked means that another machine starts the cluster.
	ErrLocked = errors.New("another machine holds the lock")
	// ErrInitialized means that the cluster has been initialized in the meantime.
	ErrInitialized = errors.New("the cluster is initialized")
)

// InitLock lets one machine of a cluster start it, while the others wait to join. It outlives the process.
type InitLock interface {
	// Acquire takes the cluster's lock for the machine; a machine that holds it gets it again. A lock whose machine is
	// gone is free. The error is ErrLocked, with the holder, if another machine has it, and ErrInitialized if the cluster
	// is already up, since the caller's state was older. It is ErrForeign, with the object that has the lock's name, if
	// that is not a lock.
	Acquire(ctx context.Context, cluster Key, machine string) (holder string, err error)
	// Release frees the cluster's lock if the machine holds it, or any holder's if machine is empty. A free lock is not an
	// error, and neither is an object with the lock's name that is not a lock: it stays.
	Release(ctx context.Context, cluster Key, machine string) error
}
