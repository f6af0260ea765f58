package memory

import (
	"context"
	"sync"

	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// HostFleet is hosts in memory. A host exists once a call names it. A run lasts until Finish, unless the fleet finishes
// runs itself.
type HostFleet struct {
	// FinishRuns makes each run succeed when it starts.
	FinishRuns bool

	mutex sync.Mutex
	hosts map[ports.Key]*fleetHost
}

// HostFailure is a fault that a test injects.
type HostFailure struct {
	Fault host.Fault
	// After makes the call change the host before it fails, as if the connection broke before the response.
	After bool
}

// fleetHost is a host of a fleet.
type fleetHost struct {
	claim      string
	phase      host.Phase
	failure    string
	properties ports.HostProbe
	runs       int
	booted     ports.HostBoot
	// finish makes runs succeed when they start, and brokenReset makes resets fail.
	finish, brokenReset bool
	// failures are the injected faults by call.
	failures map[HostCall]HostFailure
}

// Driver returns a driver of the fleet that accepts the formats.
func (f *HostFleet) Driver(formats ...ports.HostFormat) *HostDriver {
	return &HostDriver{fleet: f, formats: formats}
}

// call carries out an effect on the host of the target, with the injected faults.
func (f *HostFleet) call(ctx context.Context, target ports.HostTarget, c HostCall,
	effect func(*fleetHost) host.Fault,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	h := f.host(ports.Key{Namespace: target.Namespace, Name: target.Name})
	injected := h.failures[c]
	fault := injected.Fault
	if fault == "" || injected.After {
		if own := effect(h); own != "" {
			fault = own
		}
	}
	if fault == "" {
		return nil
	}
	return &ports.HostError{Fault: fault, Operation: string(c)}
}

// host returns the host of the name. The caller has the lock.
func (f *HostFleet) host(key ports.Key) *fleetHost {
	if f.hosts == nil {
		f.hosts = map[ports.Key]*fleetHost{}
	}
	h := f.hosts[key]
	if h == nil {
		h = &fleetHost{
			finish: f.FinishRuns, failures: map[HostCall]HostFailure{},
			properties: ports.HostProbe{
				HostKey: "ssh-ed25519 AAAA", Architecture: "amd64", OSImage: "Linux in memory", CPUs: 2,
				MemoryBytes: 4 << 30, DiskFreeBytes: 20 << 30,
			},
		}
		f.hosts[key] = h
	}
	return h
}

// change changes a host from outside.
func (f *HostFleet) change(key ports.Key, change func(*fleetHost)) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	change(f.host(key))
}

// Fail makes calls for the host fail, until it is called with no fault. Without calls, all calls fail.
func (f *HostFleet) Fail(key ports.Key, failure HostFailure, calls ...HostCall) {
	if len(calls) == 0 {
		calls = []HostCall{HostCallProbe, HostCallClaim, HostCallBoot, HostCallObserve, HostCallRelease}
	}
	f.change(key, func(h *fleetHost) {
		for _, c := range calls {
			h.failures[c] = failure
		}
	})
}

// BreakReset makes the resets of the host fail.
func (f *HostFleet) BreakReset(key ports.Key) {
	f.change(key, func(h *fleetHost) { h.brokenReset = true })
}

// Describe sets the properties of the host.
func (f *HostFleet) Describe(key ports.Key, p ports.HostProbe) {
	f.change(key, func(h *fleetHost) { h.properties = p })
}

// Finish ends the run of the host: with success if there is no failure.
func (f *HostFleet) Finish(key ports.Key, failure string) {
	f.change(key, func(h *fleetHost) { h.end(failure) })
}

// Reboot interrupts what runs on the host.
func (f *HostFleet) Reboot(key ports.Key) {
	f.change(key, func(h *fleetHost) {
		if h.phase == host.PhaseRunning {
			h.phase = host.PhaseInterrupted
		}
	})
}

// Runs returns how often data was started on the host, and the last data.
func (f *HostFleet) Runs(key ports.Key) (runs int, last ports.HostBoot) {
	f.change(key, func(h *fleetHost) { runs, last = h.runs, h.booted })
	return runs, last
}

// Claim returns the claim on the host, or an empty string if there is none.
func (f *HostFleet) Claim(key ports.Key) (claimID string) {
	f.change(key, func(h *fleetHost) { claimID = h.claim })
	return claimID
}

func (h *fleetHost) start(boot ports.HostBoot) {
	h.phase, h.booted = host.PhaseRunning, boot
	h.runs++
	if h.finish {
		h.end("")
	}
}

func (h *fleetHost) end(failure string) {
	if h.phase != host.PhaseRunning {
		return
	}
	h.phase, h.failure = host.PhaseSucceeded, host.Line(failure, host.MaxFailure)
	if failure != "" {
		h.phase = host.PhaseFailed
	}
}

// observe returns the state of the host. A reset ends with the observation.
func (h *fleetHost) observe() ports.HostObservation {
	o := ports.HostObservation{Phase: h.phase, Addresses: []string{"192.0.2.1"}}
	switch {
	case h.phase == host.PhaseFailed:
		o.Failure = h.failure
	case h.phase == host.PhaseSucceeded:
		o.Hostname, o.ProviderID = h.booted.Hostname, h.booted.ProviderID
	case h.phase == host.PhaseReleasing:
		h.claim, h.phase, h.failure = "", host.PhaseUnknown, ""
	}
	return o
}
