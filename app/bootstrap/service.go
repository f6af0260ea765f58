package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/machineadm/machineadm/app/render"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// DefaultTokenTTL is the default lifetime of a token.
const DefaultTokenTTL = 15 * time.Minute

// Options are the service's dependencies and settings. All are required unless documented otherwise.
type Options struct {
	// Render renders a job.
	Render       func(context.Context, plan.Job) (render.Result, error)
	Certificates ports.Certificates
	Tokens       ports.Tokens
	Talos        ports.TalosSecrets
	Lock         ports.InitLock
	Data         ports.DataSecrets
	// StorageRequests stores the configurations that machines fetch; nil refuses them.
	StorageRequests ports.StorageRequests
	Clock           ports.Clock
	Entropy         ports.Entropy
	// TokenTTL is the lifetime of tokens, which are extended while machines may use them. 0 is DefaultTokenTTL.
	TokenTTL time.Duration
	// KeyIdentity reports whether configs of a namespace may use the controller's identity with key management services;
	// nil allows none.
	KeyIdentity func(namespace string) bool
	// Endpoint returns the endpoint where machines report and find the agent, or nil if there is none.
	Endpoint func() (Endpoint, error)
}

// Ready describes published data.
type Ready struct {
	// Name is the name of the data, or empty if none is published.
	Name string
	// Created means that the data was published just now; Payload and Findings are then set.
	Created bool
	// Rotated means that the data was replaced just now, with a new token.
	Rotated bool
	// Renewed means that the data was replaced just now, with a new address and the same token.
	Renewed bool
	Payload delivery.Payload
	// Summary describes the published data.
	Summary  ports.DataSummary
	Findings report.Report
	// TokenID is the public half of the token in the data, or empty if there is none.
	TokenID string
	// TokenLost means that the token does not exist although the machine has not joined.
	TokenLost bool
	// Published is when data was first published, or zero if that is not known.
	Published time.Time
	// Start is set for control plane machines of clusters that the user must start.
	Start *Start
	// Next is when the data must be maintained again; 0 means never.
	Next time.Duration
}

// Service produces and maintains bootstrap data. Several goroutines can use it.
type Service struct {
	Options
	leases leases
}

// New returns the use case.
func New(o Options) *Service {
	if o.TokenTTL <= 0 {
		o.TokenTTL = DefaultTokenTTL
	}
	return &Service{Options: o}
}

// Ensure maintains the owner's data, or produces it. A data Secret that a user has deleted is thus created again. Data
// that an earlier version published under a reserved name, or for another machine, is neither maintained nor replaced.
//
// Ready.Name is also set beside an error if data is published: it stays published while it cannot be maintained. A
// Blocked is a condition; after any other error the call is worth another attempt.
func (s *Service) Ensure(ctx context.Context, r Request) (Ready, error) {
	key := r.dataKey()
	found, err := s.Data.Find(ctx, key, r.Owner)
	refused := CheckName(r)
	if err == nil && refused == nil {
		refused = checkMachine(r, found)
	}
	switch {
	case err == nil && refused != nil:
		return readyFrom(found), refused
	case refused != nil:
		return Ready{}, refused
	case err == nil:
		return s.Maintain(ctx, r, found)
	case errors.Is(err, ports.ErrNoData):
		return s.Produce(ctx, r)
	default:
		return Ready{}, dataError(err, "find", key)
	}
}

// readyFrom returns what is known about published data.
func readyFrom(d ports.DataSecret) Ready {
	return Ready{Name: d.Name, TokenID: d.Token.ID, Published: d.Published, Summary: d.Summary}
}

// Produce produces and publishes the data of a machine that has none. A repeated call gives the same data: it finds the
// token of a failed attempt. The errors are those of Ensure.
func (s *Service) Produce(ctx context.Context, r Request) (Ready, error) {
	if err := s.checkPreconditions(r); err != nil {
		return Ready{}, err
	}
	if r.Machine.ControlPlane && !r.Cluster.Initialized {
		return s.initialize(ctx, r)
	}
	role := node.RoleWorker
	if r.Machine.ControlPlane {
		role = node.RoleControlPlane
	}
	return s.produce(ctx, r, role, s.Data.Create)
}

// checkPreconditions returns an error if the machine must wait, or is stalled, for reasons other than its description.
func (s *Service) checkPreconditions(r Request) error {
	if err := CheckName(r); err != nil {
		return err
	}
	switch {
	case !r.Cluster.InfrastructureReady:
		return WaitingError{Reason: ReasonInfrastructure, Message: "the cluster's infrastructure is not ready"}
	case r.Machine.ControlPlane && r.Machine.Pool:
		return StalledError{Reason: ReasonInvalid, Message: "a pool of machines cannot be a control plane"}
	case r.Machine.Version == "":
		return invalid(report.Report{report.Errorf(MachineVersion, "the machine has no Kubernetes version").To("set it")})
	case DetectControlPlane(r.Cluster.ControlPlane).Problem != "":
		return StalledError{Reason: ReasonControlPlaneType, Message: DetectControlPlane(r.Cluster.ControlPlane).Problem}
	case (r.Cluster.Initialized || r.talos()) && r.Cluster.Network.Endpoint == "":
		return WaitingError{Reason: ReasonEndpoint, Message: "the cluster has no control plane endpoint"}
	case !r.Cluster.Initialized && !r.Machine.ControlPlane:
		return WaitingError{Reason: ReasonControlPlane, Message: "the control plane is not initialized"}
	case r.Machine.ControlPlane || r.Cluster.OldestVersion == "":
		return nil
	}
	if skew := node.CheckSkew(r.Machine.Version, r.Cluster.OldestVersion); skew != "" {
		return StalledError{Reason: ReasonVersionSkew, Message: string(MachineVersion) + ": " + skew}
	}
	return nil
}

// initialize lets the machine start the cluster if no other one does. A machine that must wait or is stalled releases
// the lock. After a failure it keeps the lock, and so it does if data was published before: that data may have started
// the cluster already, and two machines must not start one cluster. A machine that does not get the lock tries again
// after a while, since the release may precede its status, by which the release finds the machines to trigger.
func (s *Service) initialize(ctx context.Context, r Request) (Ready, error) {
	holder, err := s.Lock.Acquire(ctx, r.Cluster.Key, r.Machine.Name)
	switch {
	case errors.Is(err, ports.ErrLocked):
		message := fmt.Sprintf("machine %s starts the cluster", holder)
		return Ready{Next: s.retryInterval()}, WaitingError{Reason: ReasonInitLock, Message: message}
	case errors.Is(err, ports.ErrInitialized):
		return Ready{}, WaitingError{Reason: ReasonInitLock, Message: "the cluster has just been started"}
	case errors.Is(err, ports.ErrNotOwned):
		return Ready{Next: s.retryInterval()}, StalledError{Reason: ReasonLockNotOwned, Message: fmt.Sprintf(
			"the %s has the name of the cluster's init lock and is not one; delete it, or give the cluster another name",
			holder)}
	case err != nil:
		return Ready{}, fmt.Errorf("acquire the init lock: %w", err)
	}
	ready, err := s.produce(ctx, r, node.RoleInit, s.Data.Create)
	if err == nil || Failure(err) != nil || r.Published {
		return ready, err
	}
	return ready, withFailure(err, s.Lock.Release(ctx, r.Cluster.Key, r.Machine.Name))
}
