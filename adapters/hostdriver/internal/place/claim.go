//go:build linux

package place

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/machineadm/machineadm/adapters/internal/atomicfile"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// state is the state of a claim.
type state struct {
	// claim is its ID, or an empty string if there is none.
	claim string
	// started reports whether the machine was started under the claim, and released whether its release began.
	started, released bool
}

func (p *Place) state() (s state, err error) {
	if s.claim, err = p.Claim(); err != nil || s.claim == "" {
		return s, err
	}
	if s.started, err = p.Exists(s.claim, StartedFile); err != nil {
		return s, err
	}
	s.released, err = p.Exists(s.claim, releaseFile)
	return s, err
}

// Unused returns FaultForeignClaim if the machine was started.
func (p *Place) Unused() error {
	s, err := p.state()
	if err == nil && s.started {
		return Fault(host.FaultForeignClaim)
	}
	return err
}

// Take writes the claim. It replaces a claim under which nothing was started, for which it calls end, and removes what
// a call that did not end left.
func (p *Place) Take(id string, end func(id string) error) error {
	s, err := p.state()
	switch {
	case err != nil:
		return err
	case s.claim == id:
		return nil
	case s.started:
		return Fault(host.FaultForeignClaim)
	}
	if s.claim != "" {
		if err := errors.Join(end(s.claim), p.Base.Remove(p.In(claimFile))); err != nil {
			return err
		}
	}
	if err := p.RemoveAll("", lockFile); err != nil {
		return err
	}
	if err := p.Base.Mkdir(p.In(id), 0o700); err != nil {
		return err
	}
	return atomicfile.Replace(p.Full(claimFile), []byte(id+"\n"), 0o600)
}

// MayStart reports whether the machine of the claim was not started yet, and may be.
func (p *Place) MayStart(id string) (bool, error) {
	s, err := p.state()
	if err == nil && s.claim != id {
		err = Fault(host.FaultForeignClaim)
	}
	return err == nil && !s.started && !s.released, err
}

// Released reports whether the release of the claim began.
func (p *Place) Released(id string) (bool, error) { return p.Exists(id, releaseFile) }

// Observe returns the observation of the function if the machine has the claim, and was started and not released.
func (p *Place) Observe(id string, observe func() (ports.HostObservation, error)) (ports.HostObservation, error) {
	s, err := p.state()
	switch {
	case err != nil:
		return ports.HostObservation{}, err
	case s.claim == "":
		return ports.HostObservation{Phase: host.PhaseReleased}, nil
	case s.claim != id:
		return ports.HostObservation{}, Fault(host.FaultForeignClaim)
	case s.released:
		phase, err := p.observeRelease(id)
		return ports.HostObservation{Phase: phase}, err
	case !s.started:
		return ports.HostObservation{Phase: host.PhaseClaimed}, nil
	default:
		return observe()
	}
}

// observeRelease returns the phase of a release. The caller of a release that ended without a result was killed.
func (p *Place) observeRelease(id string) (host.Phase, error) {
	text := p.Read(host.MaxFailure, id, releasedFile)
	switch {
	case p.busy():
		return host.PhaseReleasing, nil
	case text != "":
		return "", &ports.HostError{Fault: host.FaultReset, Err: errors.New(host.Line(text, host.MaxFailure))}
	default:
		return host.PhaseInterrupted, nil
	}
}

// Release calls end, which ends the machine, removes its files and then the claim. An error is recorded for Observe,
// unless it is the end of the context or temporary. Without the claim it does nothing.
func (p *Place) Release(ctx context.Context, id string, end func(id string) error) error {
	if claim, err := p.Claim(); err != nil || claim != id {
		return err
	}
	if err := p.Base.Mkdir(p.In(id, releaseFile), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := IgnoreMissing(p.Base.Remove(p.In(id, releasedFile))); err != nil {
		return err
	}
	err := end(id)
	if err == nil {
		err = p.RemoveAll(id, releaseFile, StartedFile)
	}
	switch {
	case err == nil:
		return p.Base.Remove(p.In(claimFile))
	case ctx.Err() != nil:
		return ctx.Err()
	case FaultOf(err) == host.FaultBusy:
		return err
	default:
		return p.Base.WriteFile(p.In(id, releasedFile), []byte(host.Line(err.Error(), host.MaxFailure)), 0o600)
	}
}

// RemoveAll removes the entries of a directory except those with the names.
func (p *Place) RemoveAll(directory string, except ...string) error {
	entries, err := fs.ReadDir(p.Base.FS(), p.In(directory))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if slices.Contains(except, e.Name()) {
			continue
		}
		if err := p.Base.RemoveAll(p.In(directory, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
