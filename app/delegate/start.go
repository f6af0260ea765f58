package delegate

import (
	"context"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/secret"
)

// Start returns what the agent starts with: its configuration, or where a storage keeps it.
func (c Carrier) Start(ctx context.Context, docs []document.Document, o delivery.Options) (secret.Value, error) {
	if !o.Storage.IsZero() {
		return c.fetching(o)
	}
	return c.Configuration(ctx, docs, o)
}
