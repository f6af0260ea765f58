package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// operateTimeout is the deadline of an operation. moveTimeout is that of moving the leader, which is an optimization.
const (
	operateTimeout = 30 * time.Second
	moveTimeout    = 5 * time.Second
)

// operate carries out the operation. If the leader cannot be moved, it decides again as if there were no leader: etcd
// elects another one when its leader is removed.
func (r *round) operate(ctx context.Context) {
	if r.operation.Kind == controlplane.KindMoveLeader {
		if r.carryOut(ctx, moveTimeout); r.failure == nil || ctx.Err() != nil {
			return
		}
		members := &r.plane.Observed.Members
		for i := range members.List {
			members.List[i].Leader = false
		}
		r.failure = nil
		r.decide()
	}
	r.carryOut(ctx, operateTimeout)
}

// carryOut calls the port of the operation.
func (r *round) carryOut(ctx context.Context, timeout time.Duration) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r.failure = r.call(limited)
	if errors.Is(r.failure, context.DeadlineExceeded) {
		r.failure = fmt.Errorf("%s did not end within %s", r.operation.Kind, timeout)
	}
}

func (r *round) call(ctx context.Context) error {
	switch o := r.operation; o.Kind {
	case controlplane.KindGenerateCertificates:
		return r.generate(ctx)
	case controlplane.KindCreateFirstMachine, controlplane.KindCreateMachine:
		return r.Machines.Create(ctx, r.plane, o)
	case controlplane.KindStartCluster:
		if r.cluster.Starter == nil {
			return fmt.Errorf("control planes of the type %s are not started by the controller", r.plane.Desired.Type)
		}
		return r.cluster.Starter.Start(ctx, r.plane, o.Machine)
	case controlplane.KindPrepareJoin:
		return r.cluster.Workload.PrepareJoin(ctx, r.plane)
	case controlplane.KindDeleteMachine:
		return r.Machines.Delete(ctx, r.plane, o)
	case controlplane.KindMoveLeader:
		return r.cluster.Members.MoveLeader(ctx, r.plane, o.Member, o.Successor)
	case controlplane.KindRemoveMember:
		return r.cluster.Members.Remove(ctx, r.plane, o.Member)
	case controlplane.KindReleaseMachine:
		return r.Machines.Release(ctx, r.plane, o.Machine)
	case controlplane.KindUpdateAddons:
		return r.cluster.Workload.UpdateAddons(ctx, r.plane)
	case controlplane.KindFinish:
		return r.Objects.Finish(ctx, r.plane)
	case controlplane.KindWait:
	}
	return nil
}

// generate generates the key pairs that do not exist. Those for an external etcd are the user's.
func (r *round) generate(ctx context.Context) error {
	var problems error
	if r.plane.Desired.Type == node.ControlPlaneTalos {
		_, problems = r.TalosSecrets.Ensure(ctx, r.clusterKey())
	}
	for _, p := range r.purposes() {
		if err := r.generatePair(ctx, p); err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", r.pairName(p), err))
		}
	}
	return problems
}

// generatePair generates a key pair that does not exist.
func (r *round) generatePair(ctx context.Context, p node.Purpose) error {
	if !slices.Contains(r.plane.Observed.MissingCertificates, r.pairName(p)) {
		return nil
	}
	if r.plane.Desired.ExternalEtcd && (p == node.PurposeEtcdCA || p == node.PurposeEtcdClient) {
		return fmt.Errorf("%w; create the Secret with the certificate of the external etcd", ports.ErrNoCertificate)
	}
	return r.Certificates.Generate(ctx, r.clusterKey(), p, r.plane.Config.Certificates)
}
