//go:build linux

package linux

import (
	"context"
	"fmt"

	"github.com/moby/sys/user"

	"github.com/machineadm/machineadm/adapters/internal/linuxcmd"
	"github.com/machineadm/machineadm/domain/journal"
	"github.com/machineadm/machineadm/domain/machine"
)

// shadowFile contains the password fields. sudoersCheck is the temporary path of a sudoers file until visudo(8) accepts
// it.
const (
	shadowFile   = "/etc/shadow"
	sudoersCheck = runDir + "/sudoers"
)

type group struct {
	*Host
	machine.Group
}

func (g group) capture(ctx context.Context) (journal.Original, error) {
	_, exists, err := g.tree.group(ctx, g.Name)
	return journal.Original{Type: journal.ResourceGroup, Name: g.Name, Exists: exists}, err
}

func (g group) diff(ctx context.Context, _ journal.Original) ([]string, error) {
	is, exists, err := g.tree.group(ctx, g.Name)
	switch {
	case err != nil:
		return nil, err
	case !exists:
		return []string{"+ group " + g.Name}, nil
	case g.GID != nil && is.Gid != *g.GID:
		return nil, fmt.Errorf("the group %s has the number %d and not %d; files belong to it by that number", g.Name,
			is.Gid, *g.GID)
	default:
		return nil, nil
	}
}

func (g group) apply(ctx context.Context, _ journal.Original) error {
	_, err := g.run.command(ctx, nil, linuxcmd.Groupadd(g.Group))
	return err
}

func (h *Host) revertGroup(ctx context.Context, o journal.Original) error {
	if o.Exists || !h.run.has("groupdel") {
		return nil
	}
	found, err := h.tree.ownGroups(func(g user.Group) bool { return g.Name == o.Name })
	if err != nil || len(found) == 0 {
		return err
	}
	_, err = h.run.program(ctx, nil, "groupdel", "--", o.Name)
	return err
}
