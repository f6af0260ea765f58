package hosts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// again is the delay of the next reconciliation after an operation, or after an object was changed by others.
const again = 20 * time.Millisecond

// dataRetry is the delay until bootstrap data that is missing is read again.
const dataRetry = 30 * time.Second

// Machines reconciles machines.
type Machines struct {
	// Cached reads objects that may be stale. Live reads them from the API server, before anything is changed.
	Cached, Live ports.HostReader
	Machines     ports.HostMachineWriter
	Hosts        ports.HostWriter
	Secrets      ports.HostSecrets
	Drivers      Drivers
	Clock        ports.Clock
	// Entropy is for the IDs of claims.
	Entropy ports.Entropy
	// Started is the time at which the controller started. A deletion that is older has its time for the release from then
	// on, because no controller tried to release the host before.
	Started time.Time

	calls   calls
	formats formats
}

// situation is a machine with its host, and the decision about it.
type situation struct {
	machine ports.HostMachine
	// entry is the host of the machine's claim; the zero value if there is none.
	entry    ports.HostEntry
	observed host.Observed
	// observation is the result of the driver, or nil if the host was not observed.
	observation *ports.HostObservation
	// format is the format of the bootstrap data, or an empty string if the data was not read.
	format ports.HostFormat
	step   host.Step
}

// Reconcile carries out the next operation of a machine. It returns the delay of the next reconciliation if no object
// changes before, or 0 if none is needed.
func (s *Machines) Reconcile(ctx context.Context, key ports.Key) (time.Duration, error) {
	v, err := s.decide(ctx, key)
	if errors.Is(err, ports.ErrNoMachine) {
		s.formats.drop(key)
		return 0, nil
	}
	if err == nil && changes(v.step.Operation) {
		err = s.operate(ctx, v)
	}
	if errors.Is(err, ports.ErrNoBootstrapData) {
		v.step, err = withoutData(err), nil
	}
	if errors.Is(err, ports.ErrConflict) {
		return again, nil
	}
	if err != nil {
		return 0, err
	}
	delay := s.calls.next(key, v.step.Operation)
	if v.step.Operation != host.OperationWait {
		s.formats.drop(key)
	}
	if v.gone() || (v.terminal() && v.machine.Paused == v.machine.PauseReported) {
		return 0, nil
	}
	if err := s.Machines.SetStatus(ctx, v.machine, v.status()); err != nil {
		return 0, err
	}
	if changes(v.step.Operation) && v.step.Operation != host.OperationFail {
		return max(again, delay), nil
	}
	return v.step.After, nil
}

// decide returns the next operation. The decision to change something is confirmed with objects that are not stale.
func (s *Machines) decide(ctx context.Context, key ports.Key) (*situation, error) {
	cached, err := read(ctx, s.Cached, key)
	if err != nil {
		return nil, err
	}
	s.next(cached)
	if cached.step.Operation == host.OperationObserve {
		if err := s.observe(ctx, cached); err != nil {
			return nil, err
		}
		s.next(cached)
	}
	if err := s.preselect(ctx, cached); err != nil {
		return nil, err
	}
	if !changes(cached.step.Operation) {
		return cached, nil
	}
	live, err := read(ctx, s.Live, key)
	if err != nil {
		return nil, err
	}
	if live.machine.Claim == cached.machine.Claim {
		found, claim, unavailable := live.observed.HostFound, live.observed.HostClaim, live.observed.HostUnavailable
		live.observation, live.observed = cached.observation, cached.observed
		live.observed.HostFound, live.observed.HostClaim, live.observed.HostUnavailable = found, claim, unavailable
		live.observed.FaultSince = s.faultSince(live.machine, live.observed.Fault)
	}
	s.next(live)
	if live.step.Operation == host.OperationObserve {
		return live, ports.ErrConflict
	}
	return live, nil
}

// read reads a machine and its host.
func read(ctx context.Context, r ports.HostReader, key ports.Key) (*situation, error) {
	m, err := r.Machine(ctx, key)
	if err != nil {
		return nil, err
	}
	v := &situation{machine: m}
	switch {
	case m.Claim.IsZero():
		return v, nil
	case m.Claim.Host == "":
		v.observed.HostFound, v.observed.HostClaim = true, m.Claim
		return v, nil
	}
	v.entry, err = r.Host(ctx, ports.Key{Namespace: key.Namespace, Name: m.Claim.Host})
	if errors.Is(err, ports.ErrNoHost) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.observed.HostFound, v.observed.HostClaim = true, v.entry.Claim
	if state, reason := v.entry.State(); state != host.StateAvailable && state != host.StateClaimed {
		v.observed.HostUnavailable = reason
	}
	return v, nil
}

// next decides the next operation.
func (s *Machines) next(v *situation) {
	m := v.machine.Machine
	if !m.DeletedAt.IsZero() {
		m.DeletedAt = s.releaseFrom(v.machine)
	}
	v.step = host.Next(m, v.observed, v.machine.Timeouts, s.Clock.Now())
}

// withoutData returns the step of a machine whose Secret with the bootstrap data is missing. No event follows when it
// is created, because Secrets are not watched.
func withoutData(err error) host.Step {
	return host.Step{
		Operation: host.OperationWait, Reason: host.ReasonWaitingForData, After: dataRetry,
		Message: err.Error() + "; restore it, or replace the Machine",
	}
}

// releaseFrom returns the time from which a machine that is being deleted has its time for the release: from when on a
// controller could release the host.
func (s *Machines) releaseFrom(m ports.HostMachine) time.Time {
	if m.PauseReported && !m.Paused {
		return s.Clock.Now()
	}
	return slices.MaxFunc([]time.Time{m.DeletedAt, s.Started, m.ResumedAt}, time.Time.Compare)
}

// faultSince returns since when calls for a machine have the fault: from the status, or now.
func (s *Machines) faultSince(m ports.HostMachine, f host.Fault) time.Time {
	if m.Fault == f {
		return m.FaultSince
	}
	return s.Clock.Now()
}

// changes reports whether an operation changes an object or a host.
func changes(o host.Operation) bool {
	return o != host.OperationNone && o != host.OperationWait && o != host.OperationObserve
}

// gone reports whether the object of the machine may be gone.
func (v *situation) gone() bool { return v.step.Operation == host.OperationRemoveFinalizer }

// terminal reports whether nothing but the condition Paused of the machine changes any more.
func (v *situation) terminal() bool {
	return v.machine.Failed != "" && v.step.Operation == host.OperationNone
}

// status returns the status after the operation.
func (v *situation) status() ports.HostMachineStatus {
	status := ports.HostMachineStatus{Provisioned: v.machine.Provisioned}
	if v.machine.Paused || v.terminal() {
		return status
	}
	status.Polled = v.step.Operation == host.OperationWait
	status.Conditions = host.Conditions(v.machine.Machine, v.observed, v.step)
	if v.step.Operation == host.OperationFail {
		status.Failed, status.FailureMessage = v.step.Reason, v.step.Message
	}
	if v.machine.Provisioned && v.observed.Phase == host.PhaseSucceeded {
		status.Observation, status.FailureDomain = v.observation, v.entry.FailureDomain
	}
	return status
}

// newID returns a random UUID of version 4 (RFC 9562).
func newID(entropy io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", fmt.Errorf("generate the ID of a claim: %w", err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}
