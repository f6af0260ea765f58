package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/preflight"
)

// Preflight looks whether a machine has what is needed. It changes nothing.
type Preflight interface {
	// Check returns what the machine lacks, each by the name of its check, in the order of the need's fields. What cannot
	// be found out of a machine that does not run, such as a tree that becomes an image, is not lacking. An error means
	// that the machine could not be looked at.
	Check(ctx context.Context, need preflight.Need) ([]preflight.Lack, error)
}
