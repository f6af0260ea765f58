package ports

import (
	"context"
	"errors"

	"github.com/machineadm/machineadm/domain/node"
)

// The errors of TalosSecrets, besides ErrNotOwned.
var (
	// ErrNoTalosSecrets means that the cluster has no Talos secrets yet.
	ErrNoTalosSecrets = errors.New("no Talos secrets")
	// ErrInvalidTalosSecrets means that the object with their name does not contain valid Talos secrets.
	ErrInvalidTalosSecrets = errors.New("not Talos secrets")
)

// TalosClient names a client configuration for the API of a cluster's Talos machines (a talosconfig).
type TalosClient struct {
	// Name is the name of the Secret that contains it, in the cluster's namespace.
	Name string
	// Key is the key in that Secret.
	Key string
}

// TalosSecrets stores the secrets that the Talos machines of a cluster share, and a client configuration for
// administrators.
type TalosSecrets interface {
	// Find returns the cluster's secrets, or ErrNoTalosSecrets.
	Find(ctx context.Context, cluster Key) (node.TalosSecrets, error)
	// Ensure returns the cluster's secrets, and creates and stores them first if there are none. Existing secrets are
	// never replaced: all callers get the same secrets, also concurrent ones.
	Ensure(ctx context.Context, cluster Key) (node.TalosSecrets, error)
	// EnsureClient creates or updates a client configuration with all rights. addresses are IP addresses or DNS names
	// of control plane machines. The certificate is renewed after half of its lifetime. The error is ErrNoTalosSecrets
	// if the cluster has no secrets.
	EnsureClient(ctx context.Context, cluster Key, addresses []string) (TalosClient, error)
}
