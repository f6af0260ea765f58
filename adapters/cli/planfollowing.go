package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	app "github.com/machineadm/machineadm/app/controlplane"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/ports"
)

// maxFollowing limits the operations that are simulated, and stepTime is the simulated time between two of them.
const (
	maxFollowing = 500
	stepTime     = 20 * time.Second
)

// following returns the operations after the next one, until nothing is left to do: it simulates the control plane with
// the use case of the controller. The infrastructure of the cluster is assumed to become ready. Machines that do not
// answer stay so.
func following(ctx context.Context, c ports.ControlPlane, now time.Time, next plannedOperation) ([]plannedOperation,
	error,
) {
	clock := memory.NewClock(now)
	c.Observed.InfrastructureReady, c.Observed.EndpointKnown = true, true
	world := memory.RestoreControlPlane(c, clock)
	certificates := &memory.Certificates{Assume: len(c.Observed.MissingCertificates) == 0}
	cluster := app.Cluster{Members: world.Members(), Workload: world.Workload(), Starter: world.Starter()}
	reconciler := &app.Reconciler{
		Objects: world, Machines: world, Certificates: certificates, TalosSecrets: &memory.TalosSecrets{},
		Kubeconfigs: world.Kubeconfigs(), Kubeadm: cluster, Talos: cluster, Clock: clock,
	}
	var all []plannedOperation
	for i := range maxFollowing {
		if _, err := reconciler.Reconcile(ctx, c.Key); err != nil {
			return nil, fmt.Errorf("simulate the control plane: %w", err)
		}
		status, finished := world.Status()
		waits := status.Operation.Kind == controlplane.KindWait
		ends := finished || waits && !world.Advance()
		o := newPlannedOperation(status.Operation, status.Reason)
		isNext := i == 0 && o.Operation == next.Operation
		if !isNext && (!waits || ends && status.Reason.Code != controlplane.CodeUpToDate) {
			all = append(all, o)
		}
		if ends {
			break
		}
		clock.Advance(stepTime)
	}
	return all, nil
}
