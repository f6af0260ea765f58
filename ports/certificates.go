package ports

import (
	"context"
	"errors"

	"github.com/machineadm/machineadm/domain/node"
)

// The errors of Certificates.
var (
	// ErrNoCertificate means that the cluster has no such key pair yet.
	ErrNoCertificate = errors.New("no such certificate")
	// ErrInvalidCertificate means that the object with the pair's name does not contain a valid key pair.
	ErrInvalidCertificate = errors.New("not a certificate")
)

// Certificates are the key pairs of a cluster.
type Certificates interface {
	// Find returns the cluster's key pair for a purpose, or ErrNoCertificate.
	Find(ctx context.Context, cluster Key, p node.Purpose) (node.KeyPair, error)
	// Pins returns the pins of the cluster's CA, such as sha256:<hex> (RFC 7469, section 2.4), or ErrNoCertificate.
	Pins(ctx context.Context, cluster Key) ([]string, error)
	// Generate creates and stores a key pair for the purpose if there is none. It never replaces an existing pair. For
	// PurposeEtcdClient it creates nothing and returns ErrNoCertificate.
	Generate(ctx context.Context, cluster Key, p node.Purpose, how node.Certificates) error
}
