package ports

import (
	"context"

	"github.com/machineadm/machineadm/domain/composition"
)

// PluginResources reads the resources that MachineBootstrapConfigs name as plugins. Problems of a resource are part of
// the result. An error is temporary: the caller retries.
type PluginResources interface {
	// Find returns the state and the documents of a plugin in the namespace.
	Find(ctx context.Context, namespace string, id composition.ID) (composition.Observed, error)
	// Instantiate returns the state and the documents of a plugin that is created from a template, in the owner's
	// namespace. It creates the plugin if it does not exist. The owner controls the plugin, which is deleted with it.
	Instantiate(ctx context.Context, owner Owner, cluster string, i composition.Instance) (composition.Observed, error)
}
