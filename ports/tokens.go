package ports

import (
	"context"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// The errors of Tokens.
var (
	// ErrTokenExists means that the cluster has a token of that ID.
	ErrTokenExists = errors.New("the token's ID is in use")
	// ErrTokenNotFound means that the cluster has no token of that ID, perhaps no longer.
	ErrTokenNotFound = errors.New("no such token")
	// ErrUnreachable means that the cluster cannot be asked now. Who waits is woken when it can be again.
	ErrUnreachable = errors.New("the cluster cannot be reached")
	// ErrNoAnswer means that the cluster did not answer. No event follows: try again later.
	ErrNoAnswer = errors.New("the cluster does not answer")
)

// Tokens are the bootstrap tokens of a cluster. They are stored in that cluster, not beside the objects that request
// them.
type Tokens interface {
	// Create creates the token. The error is ErrTokenExists if there is one of its ID, whatever its origin.
	Create(ctx context.Context, cluster Key, t node.BootstrapToken) error
	// Find returns the token of that ID, or ErrTokenNotFound.
	Find(ctx context.Context, cluster Key, id string) (node.BootstrapToken, error)
	// Extend lets the token live until then, or returns ErrTokenNotFound.
	Extend(ctx context.Context, cluster Key, id string, expires time.Time) error
	// Revoke removes the token of that ID if it is the owner's. A token that is gone, or belongs to another owner, is
	// no error.
	Revoke(ctx context.Context, cluster Key, id string, owner node.TokenOwner) error
}
