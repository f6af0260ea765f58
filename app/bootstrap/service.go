package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// DefaultTokenTTL is how long a token lives unless it is extended.
const DefaultTokenTTL = 15 * time.Minute

// Rendered is what rendering gives.
type Rendered struct {
	Payload delivery.Payload
	// Findings may hold errors; there is no payload then.
	Findings report.Report
	// Stored is what has to be stored before there is a payload to publish; nil if nothing has to.
	Stored *Stored
	// TooLarge says that one of the errors is that the payload is larger than what its infrastructure takes.
	TooLarge bool
}

// Stored is what a storage is to keep.
type Stored struct {
	// Sum tells whether it is the same as before.
	Sum string
	// Data makes it.
	Data func(ctx context.Context) (secret.Value, error)
}

// RenderFunc renders documents in a format for a target.
type RenderFunc func(context.Context, []document.Document, osprofile.Target, delivery.Format) (Rendered, error)

// Options are what the use case works with. All but TokenTTL are required.
type Options struct {
	Render       RenderFunc
	Certificates ports.Certificates
	Tokens       ports.Tokens
	Talos        ports.TalosSecrets
	Lock         ports.InitLock
	Data         ports.DataSecrets
	// Deposits hands over what storages keep; nil refuses machines that ask for one.
	Deposits ports.Deposits
	Clock    ports.Clock
	Entropy  ports.Entropy
	// TokenTTL defaults to DefaultTokenTTL.
	TokenTTL time.Duration
	// KeyIdentity reports whether configs of a namespace may use the controller's identity with key management services;
	// nil allows none.
	KeyIdentity func(namespace string) bool
	// Endpoint tells where machines report and find the agent; nil tells of none.
	Endpoint func() (Endpoint, error)
}

// Service makes bootstrap data and looks after it. It may be used by several goroutines.
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

// Gate returns why the machine has to wait, or is stalled, whatever its description says; nil means that it can go on.
func Gate(r Request) Outcome {
	if o := CheckName(r); o != nil {
		return o
	}
	switch {
	case !r.Cluster.InfrastructureReady:
		return Waiting{ReasonInfrastructure, "the cluster's infrastructure is not ready"}
	case r.Machine.ControlPlane && r.Machine.Pool:
		return Stalled{Reason: ReasonInvalid, Message: "a pool of machines cannot be a control plane"}
	case r.Machine.Version == "":
		return Stalled{Reason: ReasonInvalid, Message: "the machine has no Kubernetes version; set spec.version on it"}
	case r.Cluster.ControlPlane.Problem != "":
		return Stalled{Reason: ReasonFlavor, Message: r.Cluster.ControlPlane.Problem}
	case (r.Cluster.Initialized || r.talos()) && r.Cluster.Network.Endpoint == "":
		return Waiting{ReasonEndpoint, "the cluster has no control plane endpoint"}
	case !r.Cluster.Initialized && !r.Machine.ControlPlane:
		return Waiting{ReasonControlPlane, "the control plane is not initialized"}
	}
	if skew := skew(r); skew != "" {
		return Stalled{Reason: ReasonVersionSkew, Message: skew}
	}
	return nil
}

func skew(r Request) string {
	if r.Machine.ControlPlane || r.Cluster.OldestVersion == "" {
		return ""
	}
	return node.CheckSkew(r.Machine.Version, r.Cluster.OldestVersion)
}

// Produce makes and publishes the data of a machine that has none. Repeating it gives the same data: a token that was
// made by an attempt that failed later is found again. An error is worth another attempt.
func (s *Service) Produce(ctx context.Context, r Request) (Outcome, error) {
	if o := Gate(r); o != nil {
		return o, nil
	}
	if r.Machine.ControlPlane && !r.Cluster.Initialized {
		return s.initialize(ctx, r)
	}
	role := node.RoleWorker
	if r.Machine.ControlPlane {
		role = node.RoleControlPlane
	}
	return s.make(ctx, r, role, s.Data.Create)
}

// initialize has the machine start the cluster if no other one does. A machine that has to wait or is stalled frees the
// lock again. After an error it keeps it, and if it had data before: two machines must not start one cluster, and that
// data may have been published, or may have started the cluster already.
func (s *Service) initialize(ctx context.Context, r Request) (Outcome, error) {
	holder, err := s.Lock.Acquire(ctx, r.Cluster.Key, r.Machine.Name)
	switch {
	case errors.Is(err, ports.ErrLocked):
		return Waiting{ReasonInitLock, fmt.Sprintf("machine %s starts the cluster", holder)}, nil
	case errors.Is(err, ports.ErrInitialized):
		return Waiting{ReasonInitLock, "the cluster has just been started"}, nil
	case errors.Is(err, ports.ErrForeign):
		return Stalled{Reason: ReasonForeignLock, Message: fmt.Sprintf(
			"the %s has the name of the cluster's init lock and is not one; delete it, or give the cluster another name",
			holder)}, nil
	case err != nil:
		return nil, fmt.Errorf("acquire the init lock: %w", err)
	}
	outcome, err := s.make(ctx, r, node.RoleInit, s.Data.Create)
	if _, ready := outcome.(Ready); ready || err != nil || r.Published {
		return outcome, err
	}
	return outcome, s.Lock.Release(ctx, r.Cluster.Key, r.Machine.Name)
}

type publish func(context.Context, ports.DataSecret) error

// make renders the data for the role and publishes it.
func (s *Service) make(ctx context.Context, r Request, role node.Role, publish publish) (Outcome, error) {
	described, err := r.Describe(ctx)
	if err != nil {
		return nil, fmt.Errorf("convert the description: %w", err)
	}
	grant, err := s.enrol(ctx, r, &described)
	if err != nil {
		return nil, err
	}
	described.Findings = append(described.Findings, cannotJoin(described.Target.Profile, r.Cluster.ControlPlane)...)
	if o := usable(described); o != nil {
		return o, nil
	}
	if o := s.mayEncrypt(r, described); o != nil {
		return o, nil
	}
	facts, o, err := s.gather(ctx, r, role, described)
	if o != nil || err != nil {
		return o, err
	}
	m, o, err := s.render(ctx, r, described, facts)
	if o != nil || err != nil {
		return o, err
	}
	if m, o, err = s.store(ctx, r, described.Target.Delivery, m); o != nil || err != nil {
		return o, err
	}
	m.credential = grant
	return s.publish(ctx, r, m, publish)
}

func usable(d Description) Outcome {
	if d.Findings.HasErrors() {
		return invalid(d.Findings)
	}
	if len(d.Missing) > 0 {
		return Waiting{ReasonReference, "missing: " + strings.Join(d.Missing, ", ")}
	}
	return composed(d.Plugins)
}

func invalid(findings report.Report) Stalled {
	findings = findings.Sorted()
	first := strings.TrimPrefix(findings[0].String(), report.Error.String()+": ")
	message := fmt.Sprintf("%d errors; the first: %s", findings.Count(report.Error), first)
	return Stalled{Reason: ReasonInvalid, Message: message, Findings: findings}
}

// made is data that is rendered and not yet published.
type made struct {
	payload  delivery.Payload
	version  string
	findings report.Report
	token    ports.TokenRef
	// lease is until when the token lives. It counts once the data is published: until then machines boot with another
	// token.
	lease time.Time
	// address is how long the address in the payload counts; zero if it has none, or none that ends.
	address ports.AddressRef
	start   *Start
	// stored is what has to be stored first; nil if nothing has to. pointing then renders the payload for where that is.
	stored   *Stored
	pointing func(ctx context.Context, l delivery.Location) (made, Outcome, error)
	// credential is what the machine shows when it reports; zero if it does not report.
	credential credential.Grant
}

func (s *Service) publish(ctx context.Context, r Request, m made, publish publish) (Outcome, error) {
	key, now := r.dataKey(), s.Clock.Now()
	err := publish(ctx, ports.DataSecret{
		Key: key, Cluster: r.Cluster.Name, Machine: r.Machine.Name, Owner: r.Owner, Token: m.token, Payload: m.payload,
		Credential: m.credential, EarlierEnd: now.Add(s.TokenTTL), Published: now, Address: m.address,
	})
	switch {
	case errors.Is(err, ports.ErrForeign):
		return foreign(key), nil
	case errors.Is(err, ports.ErrDataEnding):
		return ending(key), nil
	case errors.Is(err, ports.ErrDataExists):
		return s.again(ctx, r, key)
	case err != nil:
		return nil, fmt.Errorf("publish the data: %w", err)
	}
	if m.token.ID != "" {
		s.leases.set(r.Owner.UID, m.lease)
	}
	return Ready{
		Name: key.Name, Created: true, Payload: m.payload, FormatVersion: m.version, Findings: m.findings,
		TokenID: m.token.ID, Start: m.start, Published: now, Next: s.next(r, m.token, m.address),
	}, nil
}

// again looks after data that turned out to be there already.
func (s *Service) again(ctx context.Context, r Request, key ports.Key) (Outcome, error) {
	found, err := s.Data.Find(ctx, key, r.Owner)
	if errors.Is(err, ports.ErrForeign) {
		return foreign(key), nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the data: %w", err)
	}
	return Ready{
		Name: key.Name, TokenID: found.Token.ID, Published: found.Published,
		Next: s.next(r, found.Token, found.Address),
	}, nil
}

func foreign(key ports.Key) Stalled {
	return Stalled{
		Reason:  ReasonForeignSecret,
		Message: fmt.Sprintf("the Secret %s is not this object's; remove it or give the machine another name", key.Name),
	}
}

func ending(key ports.Key) Waiting {
	return Waiting{ReasonRemoval, fmt.Sprintf("the Secret %s is being removed", key.Name)}
}
