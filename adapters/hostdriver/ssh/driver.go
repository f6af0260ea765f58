package ssh

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/adapters/hostdriver/internal/response"
	"github.com/machineadm/machineadm/domain/egress"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// callTimeout limits a call, also if its context has no deadline.
const callTimeout = 30 * time.Second

// maxData is the size of the largest bootstrap data in bytes. A Secret is smaller.
const maxData = 4 << 20

// Options configures a driver. The zero value uses the default limits and accepts shell scripts only.
type Options struct {
	// Limits limits the connections; the zero value is ports.DefaultHostDriverLimits.
	Limits ports.HostDriverLimits
	// Networks are the networks that hosts may have addresses of.
	Networks egress.Networks
	// Agents are the SHA-256 digests, in lower-case hexadecimal, of the agents that may apply machine configuration. The
	// driver accepts the format of the agent only if there is one.
	Agents []string
	// Dial connects to an address; nil uses the network of this machine.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Driver boots machines over SSH.
type Driver struct {
	agents []string
	pool   *pool
}

// New returns a driver. The caller must close it.
func New(o Options) *Driver {
	if o.Limits == (ports.HostDriverLimits{}) {
		o.Limits = ports.DefaultHostDriverLimits()
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	return &Driver{agents: slices.Clone(o.Agents), pool: newPool(o)}
}

// Close closes all connections. Calls under way fail.
func (d *Driver) Close() { d.pool.close() }

// Formats implements ports.HostFormats.
func (d *Driver) Formats() []ports.HostFormat {
	if len(d.agents) == 0 {
		return []ports.HostFormat{ports.HostFormatShell}
	}
	return []ports.HostFormat{ports.HostFormatShell, ports.HostFormatAgent}
}

// Probe implements ports.HostDriver.
func (d *Driver) Probe(ctx context.Context, target ports.HostTarget) (ports.HostProbe, error) {
	r, key, err := d.call(ctx, target, request{operation: operationProbe, agents: d.agents})
	if err != nil {
		return ports.HostProbe{}, failed("probe the host", err)
	}
	probe := r.Probe()
	probe.HostKey = key
	return probe, nil
}

// Claim implements ports.HostDriver.
func (d *Driver) Claim(ctx context.Context, target ports.HostTarget, claimID string) error {
	_, _, err := d.call(ctx, target, request{operation: "claim", claim: claimID})
	return failed("claim the host", err)
}

// Boot implements ports.HostDriver.
func (d *Driver) Boot(ctx context.Context, target ports.HostTarget, claimID string, boot ports.HostBoot) error {
	const operation = "send the bootstrap data"
	data := boot.Data.Reveal()
	switch {
	case !slices.Contains(d.Formats(), boot.Format):
		return failed(operation, fault(host.FaultFormat, "%q is not a format of the ssh driver; use one of %v", boot.Format,
			d.Formats()))
	case boot.Format == ports.HostFormatShell && !strings.HasPrefix(string(data), "#!"):
		return failed(operation, fault(host.FaultFormat, "the first line of a shell script must begin with #!"))
	case len(data) > maxData:
		return failed(operation, fault(host.FaultData, "it has %d bytes; the limit is %d", len(data), maxData))
	}
	sum := sha256.Sum256(data)
	_, _, err := d.call(ctx, target, request{
		operation: "boot", claim: claimID, format: boot.Format, data: data, sha256: hex.EncodeToString(sum[:]),
		agents: d.agents,
	})
	return failed(operation, err)
}

// Observe implements ports.HostDriver.
func (d *Driver) Observe(ctx context.Context, target ports.HostTarget, claimID string) (ports.HostObservation, error) {
	const operation = "observe the host"
	r, _, err := d.call(ctx, target, request{operation: "observe", claim: claimID})
	if err != nil {
		return ports.HostObservation{}, failed(operation, err)
	}
	observed := r.Observation()
	if observed.Phase == host.PhaseUnknown {
		return ports.HostObservation{}, failed(operation, fault(host.FaultResponse, "the phase is missing"))
	}
	return observed, nil
}

// Release implements ports.HostDriver.
func (d *Driver) Release(ctx context.Context, target ports.HostTarget, claimID string) error {
	_, _, err := d.call(ctx, target, request{operation: "release", claim: claimID})
	return failed("release the host", err)
}

// claimPattern matches claims. A claim is a part of paths on the host.
var claimPattern = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// call runs an operation on the host, and returns its response and the key of the host. If a connection that was used
// before is broken, it connects again, as long as nothing was sent.
func (d *Driver) call(ctx context.Context, target ports.HostTarget, r request) (response.Response, string, error) {
	if r.operation != operationProbe && !claimPattern.MatchString(r.claim) {
		return response.Response{}, "", fault(host.FaultForeignClaim, "the ID of the claim is not a UUID")
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	login, err := parseLogin(target, r.operation == operationProbe)
	if err != nil {
		return response.Response{}, "", err
	}
	for {
		lease, err := d.pool.acquire(ctx, login)
		if err != nil {
			return response.Response{}, "", err
		}
		reply, err := lease.connection.run(ctx, login.user, r)
		if errors.Is(err, errNotSent) {
			lease.connection.close()
		}
		lease.release()
		if errors.Is(err, errNotSent) && lease.reused && ctx.Err() == nil {
			continue
		}
		return reply, lease.connection.hostKey, err
	}
}
