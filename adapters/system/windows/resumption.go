package windows

import (
	"context"
	"errors"

	"github.com/machineadm/machineadm/adapters/internal/windowscmd"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// Resumption manages the program that resumes a bootstrap at later starts of Windows. It implements ports.Resumption.
type Resumption struct{ *Host }

var _ ports.Resumption = Resumption{}

// The files of the resumption. The task machineadm runs programAt at each start of Windows. Until the agent replaces
// it, programAt is the bootstrap program of the userdata. startedAt is that program's marker.
const (
	programAt = stateAt + `\bootstrap.ps1`
	agentAt   = stateAt + `\agent.ps1`
	startedAt = stateAt + `\started`
)

// Enable replaces the bootstrap program by one that runs argv at each start of Windows, and registers the task, in case
// no userdata has done so. The program does not wait for the network.
func (r Resumption) Enable(ctx context.Context, argv []string) error {
	err := r.ProtectState(ctx)
	for _, f := range []struct{ path, text string }{
		{runAt, windowscmd.Run()}, {agentAt, plan.WithByteOrderMark(windowscmd.Call(argv))}, {programAt, windowscmd.Resume()},
	} {
		if err == nil {
			err = r.writePrivate(ctx, f.path, f.text)
		}
	}
	if err != nil {
		return err
	}
	return r.session(ctx, "register the task that continues the run", "Register-Program")
}

// Disable removes the task and its program. A new bootstrap program may start afterwards.
func (r Resumption) Disable(ctx context.Context) error {
	if err := r.session(ctx, "remove the task that continues the run", "Unregister-Program"); err != nil {
		return err
	}
	return errors.Join(r.tree.remove(programAt), r.tree.remove(agentAt), r.tree.remove(startedAt))
}
