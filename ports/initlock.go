package ports

import (
	"context"
	"errors"
)

// ErrLocked means that another machine starts the cluster.
var ErrLocked = errors.New("another machine holds the lock")

// InitLock lets one machine of a cluster start it, while the others wait to join. It outlives the process.
type InitLock interface {
	// Acquire takes the cluster's lock for the machine; a machine that holds it gets it again. A lock whose machine is
	// gone is free. The error is ErrLocked, with the holder, if another machine has it.
	Acquire(ctx context.Context, cluster Key, machine string) (holder string, err error)
	// Release frees the cluster's lock if the machine holds it, or whoever holds it if machine is empty. A free lock is
	// no error.
	Release(ctx context.Context, cluster Key, machine string) error
}
