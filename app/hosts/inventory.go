package hosts

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// DefaultProbePeriod is the time between two probes of a host without a machine.
const DefaultProbePeriod = 5 * time.Minute

// Inventory reconciles hosts: it probes those that no machine has, and reports their state.
type Inventory struct {
	// Cached reads objects that may be stale. Live reads them from the API server, before a host is probed.
	Cached, Live ports.HostReader
	Hosts        ports.HostWriter
	Secrets      ports.HostSecrets
	Driver       Driver
	Clock        ports.Clock
	// Period is the time between two probes.
	Period time.Duration

	refusals refusals
}

// Reconcile reports the state of a host and probes it when it is due. It returns the delay of the next reconciliation;
// zero if none is needed.
func (s *Inventory) Reconcile(ctx context.Context, key ports.Key) (time.Duration, error) {
	e, err := s.Cached.Host(ctx, key)
	if errors.Is(err, ports.ErrNoHost) || (err == nil && e.Paused) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var after time.Duration
	switch wait := s.due(e); {
	case e.Claim.IsZero() == e.Finalizer:
		// The finalizer is there as long as the claim is, also after a move or a change by a user.
		err = s.Hosts.SetClaim(ctx, e, e.Claim)
	case !e.Claim.IsZero():
		err = s.reportClaim(ctx, e)
	case e.Deleting:
	case wait > 0:
		after, err = s.postpone(ctx, e, wait)
	default:
		after, err = s.probe(ctx, key)
	}
	if errors.Is(err, ports.ErrConflict) || errors.Is(err, ports.ErrNoHost) {
		return again, nil
	}
	return after, err
}

// reportClaim reports the state of a host with a claim.
func (s *Inventory) reportClaim(ctx context.Context, e ports.HostEntry) error {
	m, err := s.Cached.Machine(ctx, ports.Key{Namespace: e.Namespace, Name: e.Claim.Machine})
	missing := errors.Is(err, ports.ErrNoMachine)
	if err != nil && !missing {
		return err
	}
	status := ports.HostStatus{Host: e.Host, Message: "HostMachine " + e.Claim.Machine}
	if e.Deleting {
		status.Message += " still has the host; the Host is deleted when the Machine is deleted"
	}
	if missing || m.Claim.ID != e.Claim.ID {
		status.MachineMissing = true
		status.Message = "the HostMachine " + e.Claim.Machine + " does not have this claim; restore it, or reset the " +
			"host and remove spec.claim"
	}
	return s.Hosts.SetStatus(ctx, e, status)
}

// due returns the time until the next probe, or 0 if there was none of this specification. It is never more than the
// period: another clock may have written a time in the future.
func (s *Inventory) due(e ports.HostEntry) time.Duration {
	if e.ProbedAt.IsZero() {
		return 0
	}
	period := s.period(e.Key(), e.Probe)
	return min(period, max(0, period-s.Clock.Now().Sub(e.ProbedAt)))
}

// period returns the period of a host: between 3/4 and 5/4 of Period, so that probes are spread. It is a tenth of this
// while the Secret of the host has no valid key: this is found without a connection, and a user waits for it.
func (s *Inventory) period(key ports.Key, fault host.Fault) time.Duration {
	period := s.Period
	if fault == host.FaultCredentials {
		period /= 10
	}
	sum := sha256.Sum256([]byte(key.String()))
	share := float64(binary.BigEndian.Uint16(sum[:])) / (1 << 16)
	return period*3/4 + time.Duration(share*float64(period)/2)
}

// postpone reports the state of a host whose next probe is not due. A host that refused the key is probed nevertheless
// as soon as its Secret has another one. With the same key, it could ban the controller.
func (s *Inventory) postpone(ctx context.Context, e ports.HostEntry, wait time.Duration) (time.Duration, error) {
	if e.Probe == host.FaultAuthentication {
		key, err := s.Secrets.PrivateKey(ctx, e)
		if err == nil && s.refusals.another(e.Key(), key) {
			return s.probe(ctx, e.Key())
		}
		wait = min(wait, s.period(e.Key(), host.FaultCredentials))
	}
	return wait, s.Hosts.SetStatus(ctx, e, ports.HostStatus{Host: e.Host, Message: e.Message})
}

// probe probes a host without a claim, and writes the first key of a host that trusts it.
func (s *Inventory) probe(ctx context.Context, key ports.Key) (time.Duration, error) {
	e, err := s.Live.Host(ctx, key)
	if err != nil {
		return 0, err
	}
	if !e.Claim.IsZero() || e.Deleting {
		return 0, ports.ErrConflict
	}
	status := ports.HostStatus{Host: e.Host, ProbedAt: s.Clock.Now()}
	if len(e.Connection.HostKeys) == 0 && !e.TrustsFirstKey {
		status.Host.Probe = host.FaultHostKeyUnknown
		status.Message = host.FaultHostKeyUnknown.Problem() + "; " + host.FaultHostKeyUnknown.Remedy()
	} else if status.Host.Probe, status.Message, err = s.examine(ctx, e, &status); err != nil {
		return 0, err
	}
	switch {
	case status.Host.Probe == host.FaultBusy:
		return minCallDelay, nil
	case status.Host.Probe == "" && len(e.Connection.HostKeys) == 0:
		return again, s.Hosts.SetHostKey(ctx, e, status.Properties.HostKey)
	}
	status.Host.Probed = true
	return s.period(key, status.Host.Probe), s.Hosts.SetStatus(ctx, e, status)
}

// examine calls the driver and stores the properties of the host in the status.
func (s *Inventory) examine(ctx context.Context, e ports.HostEntry, status *ports.HostStatus) (host.Fault, string,
	error,
) {
	var target ports.HostTarget
	fault, detail, err := call(ctx, func(ctx context.Context) error {
		if s.Driver == nil {
			return &ports.HostError{Fault: host.FaultDisabled, Operation: "probe the host"}
		}
		var err error
		if target, err = connect(ctx, s.Secrets, e); err != nil {
			return err
		}
		probe, err := s.Driver.Probe(ctx, target)
		status.Properties = &probe
		return err
	})
	if fault == host.FaultAuthentication {
		s.refusals.record(e.Key(), target.Connection.Key, status.ProbedAt, status.ProbedAt.Add(-2*s.Period))
	}
	if fault != "" {
		status.Properties, detail = nil, detail+"; "+fault.Remedy()
	}
	return fault, detail, err
}
