//go:build linux

package namespace

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Config configures a driver.
type Config struct {
	// Directory is the absolute path of the directory with the root file systems, and with the machines below machines. It
	// must exist, and must not be on an overlay.
	Directory string
	Network   Network
}

// Driver implements ports.HostDriver. It has no state besides its directory.
type Driver struct{ config Config }

var (
	_ ports.HostDriver  = (*Driver)(nil)
	_ ports.HostFormats = (*Driver)(nil)
)

// New returns a driver.
func New(config Config) *Driver { return &Driver{config: config} }

// Formats returns the formats. A root file system may support fewer of them; see Boot.
func (d *Driver) Formats() []ports.HostFormat {
	return []ports.HostFormat{
		ports.HostFormatCloudConfig, ports.HostFormatIgnition, ports.HostFormatAgent, ports.HostFormatShell,
	}
}

// Probe returns the properties of this host, with the system of the machine's root file system.
func (d *Driver) Probe(ctx context.Context, target ports.HostTarget) (ports.HostProbe, error) {
	var probe ports.HostProbe
	err := d.call(ctx, "probe", func(base *directory) error {
		p := base.place(target)
		if id := p.claim(); id != "" && p.exists(id, startedFile) {
			return fault(host.FaultForeignClaim)
		}
		image, err := base.image(target)
		if err != nil {
			return err
		}
		defer func() { _ = image.Close() }()
		probe = image.properties(d.config.Directory)
		return nil
	})
	return probe, err
}

// Claim creates the directory of the machine. It requires the root file system.
func (d *Driver) Claim(ctx context.Context, target ports.HostTarget, claimID string) error {
	return d.locked(ctx, "claim", target, func(p *place) error {
		image, err := p.base.image(target)
		if err != nil {
			return err
		}
		defer func() { _ = image.Close() }()
		switch id := p.claim(); {
		case id == claimID:
			return nil
		case id != "" && p.exists(id, startedFile):
			return fault(host.FaultForeignClaim)
		}
		if err := p.removeClaims(ctx); err != nil {
			return err
		}
		return p.setClaim(claimID)
	})
}

// Boot writes the layer of the machine and starts it. The fault is FaultFormat if the root file system lacks the
// program for the format.
func (d *Driver) Boot(ctx context.Context, target ports.HostTarget, claimID string, boot ports.HostBoot) error {
	return d.locked(ctx, "boot", target, func(p *place) error {
		image, err := p.base.image(target)
		if err != nil {
			return err
		}
		defer func() { _ = image.Close() }()
		switch {
		case !slices.Contains(d.Formats(), boot.Format) || image.program(boot.Format) == "":
			return fault(host.FaultFormat)
		case p.claim() != claimID:
			return fault(host.FaultForeignClaim)
		case p.exists(claimID, startedFile) || p.exists(claimID, releaseFile):
			return nil
		}
		m, err := p.prepare(d.config.Network, claimID, image, boot)
		if err != nil {
			return err
		}
		return m.start(ctx, p)
	})
}

// Release ends the machine and removes it. It returns at the end of both; if the caller is killed before, Observe
// returns PhaseInterrupted, and another Release continues.
func (d *Driver) Release(ctx context.Context, target ports.HostTarget, claimID string) error {
	return d.locked(ctx, "release", target, func(p *place) error {
		if p.claim() != claimID {
			return nil
		}
		return p.release(ctx, claimID)
	})
}

// Process returns the first process of the target's machine, for programs that enter its namespaces; 0 if it does not
// run.
func (d *Driver) Process(ctx context.Context, target ports.HostTarget) (pid int, err error) {
	err = d.call(ctx, "find the machine", func(base *directory) error {
		p := base.place(target)
		supervisor, err := p.supervisor(p.claim())
		if supervisor != 0 {
			pid = child(supervisor)
		}
		return err
	})
	return pid, err
}
