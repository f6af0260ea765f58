package ports

import (
	"context"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

// Stored gives machines what a storage keeps for them, if that is the controller's own endpoint.
type Stored interface {
	// Fetch returns the object. The error is ErrStorageDenied if the signature is not that of the name and the time, or if
	// the time is over, whether there is such an object or not; it is ErrNoObject if there is none.
	Fetch(ctx context.Context, name string, expires time.Time, signature string) (secret.Value, error)
}
