package hosts

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// callTimeout is the deadline of each call of a driver.
const callTimeout = 30 * time.Second

// Driver is a driver with its formats.
type Driver interface {
	ports.HostDriver
	ports.HostFormats
}

// Drivers are the drivers of a controller. A machine of a driver that is nil waits.
type Drivers struct {
	// Hosts boots machines on hosts of the inventory.
	Hosts Driver
	// Namespaces and VirtualMachines create machines.
	Namespaces, VirtualMachines Driver
}

// of returns the driver for a machine, or nil if it is disabled.
func (d Drivers) of(m ports.HostMachine) Driver {
	switch {
	case m.Settings == nil:
		return d.Hosts
	case m.Settings.Image != "":
		return d.VirtualMachines
	default:
		return d.Namespaces
	}
}

// accepts reports whether the driver boots the format. A driver that is disabled may be enabled later.
func accepts(d Driver, f ports.HostFormat) bool { return d == nil || slices.Contains(d.Formats(), f) }

// call calls a driver with a deadline. A fault of the driver is not an error; a call that exceeds its deadline has
// FaultUnreachable.
func call(ctx context.Context, f func(context.Context) error) (host.Fault, string, error) {
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := f(limited)
	var failed *ports.HostError
	switch {
	case err == nil:
		return "", "", nil
	case ctx.Err() != nil:
		return "", "", err
	case errors.As(err, &failed):
		return failed.Fault, failed.Detail(), nil
	case errors.Is(err, context.DeadlineExceeded):
		return host.FaultUnreachable, "the host did not respond within " + callTimeout.String(), nil
	default:
		return "", "", err
	}
}
