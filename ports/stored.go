package ports

import (
	"context"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

// SignedObjects reads the objects that the controller's own endpoint serves to machines.
type SignedObjects interface {
	// Fetch returns the object. The error is ErrStorageDenied if the signature does not match name and expires, or if
	// the URL has expired, whether the object exists or not. It is ErrNoObject if there is no such object.
	Fetch(ctx context.Context, name string, expires time.Time, signature string) (secret.Value, error)
}
