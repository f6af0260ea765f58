package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/composition"
)

// PluginResources reads the resources of a cluster that machines' descriptions name as plugins. Problems of a resource
// are part of the result; an error is worth another attempt.
type PluginResources interface {
	// Find returns what there is of a plugin in the namespace.
	Find(ctx context.Context, namespace string, id composition.ID) (composition.Found, error)
	// Instantiate returns what there is of a plugin that is made from a template, in the owner's namespace. It makes the
	// plugin if it is not there; it is the owner's then, and goes with it.
	Instantiate(ctx context.Context, owner Owner, cluster string, i composition.Instance) (composition.Found, error)
}
