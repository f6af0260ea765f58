package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// The errors of Tokens.
var (
	// ErrTokenExists means that the cluster already has a token with the ID.
	ErrTokenExists = errors.New("the token's ID is in use")
	// ErrTokenNotFound means that the cluster has no token with the ID. It may have been deleted.
	ErrTokenNotFound = errors.New("no such token")
	// ErrUnreachable means that there is no connection to the cluster. The object is reconciled again when the
	// connection is back.
	ErrUnreachable = errors.New("the cluster cannot be reached")
	// ErrNoAnswer means that the cluster did not answer. No event follows, so the caller must retry.
	ErrNoAnswer = errors.New("the cluster does not answer")
)

// Tokens manages the bootstrap tokens of a workload cluster. They are Secrets in that cluster, not in the management
// cluster.
type Tokens interface {
	// Create creates the token. The error is ErrTokenExists if a token with the ID exists, even if machineadm did not
	// create it.
	Create(ctx context.Context, cluster Key, t node.BootstrapToken) error
	// Find returns the token with the ID, or ErrTokenNotFound.
	Find(ctx context.Context, cluster Key, id string) (node.BootstrapToken, error)
	// Extend sets the expiry of the token, or returns ErrTokenNotFound.
	Extend(ctx context.Context, cluster Key, id string, expires time.Time) error
	// Revoke deletes the token with the ID if it belongs to the owner. Otherwise, or if there is no token, it does
	// nothing and returns nil.
	Revoke(ctx context.Context, cluster Key, id string, owner node.TokenOwner) error
}
