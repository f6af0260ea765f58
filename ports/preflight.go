package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/preflight"
)

// Preflight checks whether a machine meets the requirements of a plan. It changes nothing.
type Preflight interface {
	// Check returns the requirements that the machine does not meet, in the order of the fields of need, each with the
	// name of its check. In the tree of an image, checks that need a running system pass. An error means that the
	// machine could not be examined.
	Check(ctx context.Context, need preflight.Requirements) ([]preflight.Problem, error)
}
