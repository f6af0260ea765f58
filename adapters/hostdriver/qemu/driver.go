//go:build linux

package qemu

import (
	"cmp"
	"context"
	"strings"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/place"
	"github.com/machineadm/machineadm/adapters/hostdriver/internal/response"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// Config configures a driver.
type Config struct {
	// Directory is the absolute path of the directory with the images, and with the machines below machines. It must
	// exist.
	Directory string
	// Bridge is a bridge with a DHCP server to which qemu-bridge-helper may connect the machines. If it is empty, each
	// machine has a network of its own, from which it reaches this host and the networks of this host.
	Bridge string
}

// Driver implements ports.HostDriver. Besides its directory, it knows only the digests of images.
type Driver struct {
	config  Config
	digests digests
}

var (
	_ ports.HostDriver  = (*Driver)(nil)
	_ ports.HostFormats = (*Driver)(nil)
)

// New returns a driver.
func New(config Config) *Driver { return &Driver{config: config} }

// Formats returns the formats.
func (d *Driver) Formats() []ports.HostFormat {
	return []ports.HostFormat{ports.HostFormatCloudConfig, ports.HostFormatIgnition}
}

// Probe returns the properties of a virtual machine. Its architecture is always amd64.
func (d *Driver) Probe(ctx context.Context, target ports.HostTarget) (ports.HostProbe, error) {
	var probe ports.HostProbe
	err := place.Call(ctx, d.config.Directory, "probe", func(base *place.Directory) error {
		if err := base.Place(target).Unused(); err != nil {
			return err
		}
		image, err := d.openImage(ctx, base, target)
		if err != nil {
			return err
		}
		m := target.Machine
		probe = ports.HostProbe{
			Architecture: "amd64", CPUs: cmp.Or(m.CPUs, defaultCPUs),
			MemoryBytes: int64(cmp.Or(m.MemoryMiB, defaultMemoryMiB)) << 20, DiskFreeBytes: max(image.size, diskBytes(m)),
		}
		return nil
	})
	return probe, err
}

// Claim creates the directory of the machine. It verifies the digest of the image.
func (d *Driver) Claim(ctx context.Context, target ports.HostTarget, claimID string) error {
	return place.Locked(ctx, d.config.Directory, "claim", target, func(p *place.Place) error {
		if _, err := d.openImage(ctx, p.Base, target); err != nil {
			return err
		}
		return p.Take(claimID, func(id string) error { return end(ctx, p, id) })
	})
}

// Boot writes the seed of the machine and starts it.
func (d *Driver) Boot(ctx context.Context, target ports.HostTarget, claimID string, boot ports.HostBoot) error {
	return place.Locked(ctx, d.config.Directory, "boot", target, func(p *place.Place) error {
		image, err := d.openImage(ctx, p.Base, target)
		if err != nil {
			return err
		}
		kind, err := seedKind(target.Machine.Seed, boot.Format)
		if err != nil {
			return err
		}
		may, err := p.MayStart(claimID)
		if err != nil {
			return err
		}
		if !may {
			return resume(ctx, p, claimID)
		}
		// A call that did not end may have started QEMU.
		if err := end(ctx, p, claimID); err != nil {
			return err
		}
		if err := prepare(ctx, p, claimID, image, target, kind, boot); err != nil {
			return err
		}
		args := d.arguments(p.UUID(claimID), target.Machine, kind)
		if err := launch(ctx, p, claimID, max(image.size, diskBytes(target.Machine)), args); err != nil {
			return err
		}
		return run(ctx, p, claimID)
	})
}

// resume runs a machine that an earlier call recorded as started, and did not run.
func resume(ctx context.Context, p *place.Place, id string) error {
	current, err := state(ctx, p, id)
	if err != nil || current != statePrelaunch {
		return err
	}
	if released, err := p.Released(id); err != nil || released {
		return err
	}
	return control(ctx, p, id, "cont", nil)
}

// Observe reads what the machine reported.
func (d *Driver) Observe(ctx context.Context, target ports.HostTarget, claimID string) (ports.HostObservation, error) {
	var observed ports.HostObservation
	err := place.Call(ctx, d.config.Directory, "observe", func(base *place.Directory) error {
		p := base.Place(target)
		var err error
		observed, err = p.Observe(claimID, func() (ports.HostObservation, error) { return observe(ctx, p, claimID) })
		return err
	})
	return observed, err
}

// observe returns the observation of a machine that was started. A report that is malformed is the same as none: the
// machine may be writing it.
func observe(ctx context.Context, p *place.Place, id string) (ports.HostObservation, error) {
	current, err := state(ctx, p, id)
	if err != nil {
		return ports.HostObservation{}, err
	}
	if current == statePrelaunch {
		return ports.HostObservation{Phase: host.PhaseClaimed}, nil
	}
	var observed ports.HostObservation
	if r, err := response.Parse(report(p.Read(reportSize, id, reportFile))); err == nil {
		observed = r.Observation()
	}
	switch {
	case observed.Phase == host.PhaseSucceeded || observed.Phase == host.PhaseFailed:
	case current == stateEnded || observed.Phase == host.PhaseInterrupted:
		observed.Phase = host.PhaseInterrupted
	default:
		observed.Phase = host.PhaseRunning
	}
	return observed, nil
}

// report returns the text of the report without what an earlier, longer one left on the disk.
func report(text string) []byte {
	if found := strings.Index("\n"+text, "\nend\n"); found >= 0 {
		text = text[:found+len("end\n")]
	}
	return []byte(text)
}

// Release ends the machine and removes it.
func (d *Driver) Release(ctx context.Context, target ports.HostTarget, claimID string) error {
	return place.Locked(ctx, d.config.Directory, "release", target, func(p *place.Place) error {
		return p.Release(ctx, claimID, func(id string) error { return end(ctx, p, id) })
	})
}

// end kills QEMU.
func end(ctx context.Context, p *place.Place, id string) error {
	return place.Kill(ctx, func() (int, error) { return process(ctx, p, id) })
}
