package ports

import (
	"context"
	"errors"

	"github.com/machineadm/machineadm/domain/node"
)

// The errors of TalosSecrets. ErrForeign is the third: another owner controls the name.
var (
	// ErrNoTalosSecrets means that the cluster has no Talos secrets yet.
	ErrNoTalosSecrets = errors.New("no Talos secrets")
	// ErrBadTalosSecrets means that there is something under their name that is none.
	ErrBadTalosSecrets = errors.New("not Talos secrets")
)

// TalosClient names a client configuration for the API of a cluster's Talos machines (a talosconfig).
type TalosClient struct {
	// Name is that of the object which holds it, in the cluster's namespace.
	Name string
	// Key is the key in that object.
	Key string
}

// TalosSecrets keeps what the Talos machines of a cluster share, and a client configuration for people.
type TalosSecrets interface {
	// Find returns the cluster's secrets, or ErrNoTalosSecrets.
	Find(ctx context.Context, cluster Key) (node.TalosSecrets, error)
	// Ensure returns the cluster's secrets, and creates and stores them first if there are none. Existing secrets are
	// never replaced: every caller, at any time, also concurrently, gets the same.
	Ensure(ctx context.Context, cluster Key) (node.TalosSecrets, error)
	// EnsureClient keeps a client configuration with all rights for the machines at the addresses, which are IP addresses
	// or DNS names of control plane machines. It is made if there is none, gets new addresses, and is renewed when half of
	// its certificate's life is over. The error is ErrNoTalosSecrets if the cluster has no secrets.
	EnsureClient(ctx context.Context, cluster Key, addresses []string) (TalosClient, error)
}
