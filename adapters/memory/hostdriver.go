package memory

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// HostCall is a call of a driver.
type HostCall string

// The calls of a driver.
const (
	HostCallProbe   HostCall = "probe"
	HostCallClaim   HostCall = "claim"
	HostCallBoot    HostCall = "boot"
	HostCallObserve HostCall = "observe"
	HostCallRelease HostCall = "release"
)

// HostDriver implements ports.HostDriver for the hosts of a fleet. It has no state of its own, so that another driver
// of the same fleet continues its work.
type HostDriver struct {
	fleet   *HostFleet
	formats []ports.HostFormat
}

var (
	_ ports.HostDriver  = (*HostDriver)(nil)
	_ ports.HostFormats = (*HostDriver)(nil)
)

// Formats returns the formats of the driver.
func (d *HostDriver) Formats() []ports.HostFormat { return d.formats }

// Probe returns the properties of the host.
func (d *HostDriver) Probe(ctx context.Context, target ports.HostTarget) (ports.HostProbe, error) {
	var probe ports.HostProbe
	err := d.fleet.call(ctx, target, HostCallProbe, func(h *fleetHost) host.Fault {
		if h.claim != "" && h.phase != host.PhaseClaimed {
			return host.FaultForeignClaim
		}
		probe = h.properties
		return ""
	})
	return probe, err
}

// Claim writes the claim.
func (d *HostDriver) Claim(ctx context.Context, target ports.HostTarget, claimID string) error {
	return d.fleet.call(ctx, target, HostCallClaim, func(h *fleetHost) host.Fault {
		switch {
		case h.claim == claimID:
			return ""
		case h.claim != "" && h.phase != host.PhaseClaimed:
			return host.FaultForeignClaim
		}
		h.claim, h.phase = claimID, host.PhaseClaimed
		return ""
	})
}

// Boot starts the run, unless it was started before.
func (d *HostDriver) Boot(ctx context.Context, target ports.HostTarget, claimID string, boot ports.HostBoot) error {
	return d.fleet.call(ctx, target, HostCallBoot, func(h *fleetHost) host.Fault {
		switch {
		case !slices.Contains(d.formats, boot.Format):
			return host.FaultFormat
		case h.claim != claimID:
			return host.FaultForeignClaim
		case h.phase == host.PhaseClaimed:
			h.start(boot)
		}
		return ""
	})
}

// Observe returns the phase of the claim.
func (d *HostDriver) Observe(ctx context.Context, target ports.HostTarget, claimID string) (ports.HostObservation,
	error,
) {
	var observed ports.HostObservation
	err := d.fleet.call(ctx, target, HostCallObserve, func(h *fleetHost) host.Fault {
		switch {
		case h.claim == "":
			observed.Phase = host.PhaseReleased
			return ""
		case h.claim != claimID:
			return host.FaultForeignClaim
		case h.phase == host.PhaseReleasing && h.brokenReset:
			return host.FaultReset
		}
		observed = h.observe()
		return ""
	})
	return observed, err
}

// Release starts the reset. The observation after the next one finds the host released.
func (d *HostDriver) Release(ctx context.Context, target ports.HostTarget, claimID string) error {
	return d.fleet.call(ctx, target, HostCallRelease, func(h *fleetHost) host.Fault {
		if h.claim != "" && h.claim == claimID {
			h.phase = host.PhaseReleasing
		}
		return ""
	})
}
