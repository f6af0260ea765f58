package ports

import (
	"context"
	"errors"
)

// The errors of InitLock.
var (
	// ErrLocked means that another machine starts the cluster.
	ErrLocked = errors.New("another machine holds the lock")
	// ErrInitialized means that the cluster has been started in the meantime, so that nobody has to.
	ErrInitialized = errors.New("the cluster is initialized")
)

// InitLock lets one machine of a cluster start it, while the others wait to join. It outlives the process.
type InitLock interface {
	// Acquire takes the cluster's lock for the machine; a machine that holds it gets it again. A lock whose machine is
	// gone is free. The error is ErrLocked, with the holder, if another machine has it, and ErrInitialized if the cluster
	// turns out to be up: whoever asked knew an older state. It is ErrForeign, with what has the lock's name, if that is
	// not a lock.
	Acquire(ctx context.Context, cluster Key, machine string) (holder string, err error)
	// Release frees the cluster's lock if the machine holds it, or whoever holds it if machine is empty. A free lock is
	// no error, and neither is what has the lock's name and is not one: it stays.
	Release(ctx context.Context, cluster Key, machine string) error
}
