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

// Unused returns FaultForeignClaim if the machine was started.
func (p *Place) Unused() error {
	if id := p.Claim(); id != "" && p.Exists(id, StartedFile) {
		return Fault(host.FaultForeignClaim)
	}
	return nil
}

// Take writes the claim. It replaces a claim under which nothing was started, for which it calls end, and removes what
// a call that did not end left.
func (p *Place) Take(id string, end func(id string) error) error {
	current := p.Claim()
	if current == id {
		return nil
	}
	if err := p.Unused(); err != nil {
		return err
	}
	if current != "" {
		if err := errors.Join(end(current), p.Base.Remove(p.In(claimFile))); err != nil {
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
	if p.Claim() != id {
		return false, Fault(host.FaultForeignClaim)
	}
	return !p.Exists(id, StartedFile) && !p.Released(id), nil
}

// Released reports whether the release of the claim began.
func (p *Place) Released(id string) bool { return p.Exists(id, releaseFile) }

// Observe returns the observation of the function if the machine has the claim, and was started and not released.
func (p *Place) Observe(id string, observe func() (ports.HostObservation, error)) (ports.HostObservation, error) {
	switch current := p.Claim(); {
	case current == "":
		return ports.HostObservation{Phase: host.PhaseReleased}, nil
	case current != id:
		return ports.HostObservation{}, Fault(host.FaultForeignClaim)
	case p.Released(id):
		phase, err := p.observeRelease(id)
		return ports.HostObservation{Phase: phase}, err
	case !p.Exists(id, StartedFile):
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

// Release calls end, which ends the machine, removes its files and then the claim. An error other than the end of the
// context is recorded for Observe. Without the claim it does nothing.
func (p *Place) Release(ctx context.Context, id string, end func(id string) error) error {
	if p.Claim() != id {
		return nil
	}
	if err := p.Base.Mkdir(p.In(id, releaseFile), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := p.Base.Remove(p.In(id, releasedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
