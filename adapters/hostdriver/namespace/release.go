//go:build linux

package namespace

import (
	"context"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
)

// end kills the supervisor and all processes of the machine, removes the control groups, and returns the addresses.
func end(ctx context.Context, p *place.Place, id string) error {
	if err := place.Kill(ctx, func() (int, error) { return supervisorOf(p, id) }); err != nil {
		return err
	}
	m := &machine{UUID: p.UUID(id)}
	if err := m.removeGroups(ctx); err != nil {
		return err
	}
	return free(p.Base, p.In(id))
}
