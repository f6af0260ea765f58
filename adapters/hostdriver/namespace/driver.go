//go:build linux

package namespace

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
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
	err := place.Call(ctx, d.config.Directory, "probe", func(base *place.Directory) error {
		p := base.Place(target)
		if err := p.Unused(); err != nil {
			return err
		}
		image, err := openImage(base, target)
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
	return place.Locked(ctx, d.config.Directory, "claim", target, func(p *place.Place) error {
		image, err := openImage(p.Base, target)
		if err != nil {
			return err
		}
		defer func() { _ = image.Close() }()
		return p.Take(claimID, func(id string) error { return end(ctx, p, id) })
	})
}

// Boot writes the layer of the machine and starts it. The fault is FaultFormat if the root file system lacks the
// program for the format.
func (d *Driver) Boot(ctx context.Context, target ports.HostTarget, claimID string, boot ports.HostBoot) error {
	return place.Locked(ctx, d.config.Directory, "boot", target, func(p *place.Place) error {
		image, err := openImage(p.Base, target)
		if err != nil {
			return err
		}
		defer func() { _ = image.Close() }()
		if !slices.Contains(d.Formats(), boot.Format) || image.program(boot.Format) == "" {
			return place.Fault(host.FaultFormat)
		}
		if may, err := p.MayStart(claimID); !may {
			return err
		}
		m, err := prepare(p, d.config.Network, claimID, image, boot)
		if err != nil {
			return err
		}
		return m.start(ctx, p)
	})
}

// Release ends the machine and removes it. It returns at the end of both; if the caller is killed before, Observe
// returns PhaseInterrupted, and another Release continues.
func (d *Driver) Release(ctx context.Context, target ports.HostTarget, claimID string) error {
	return place.Locked(ctx, d.config.Directory, "release", target, func(p *place.Place) error {
		return p.Release(ctx, claimID, func(id string) error { return end(ctx, p, id) })
	})
}

// Process returns the first process of the target's machine, for programs that enter its namespaces, or 0 if it does
// not run.
func (d *Driver) Process(ctx context.Context, target ports.HostTarget) (pid int, err error) {
	err = place.Call(ctx, d.config.Directory, "find the machine", func(base *place.Directory) error {
		p := base.Place(target)
		id, err := p.Claim()
		if err != nil || id == "" {
			return err
		}
		supervisor, err := supervisorOf(p, id)
		if supervisor != 0 {
			pid = child(supervisor)
		}
		return err
	})
	return pid, err
}
