package hosts_test

import (
	"context"
	"testing"
	"time"

	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

// constant is a driver whose calls succeed and whose host always reports the same phase.
type constant struct {
	hosts.Driver
	phase host.Phase
}

func (c constant) Observe(context.Context, ports.HostTarget, string) (ports.HostObservation, error) {
	return ports.HostObservation{Phase: c.phase}, nil
}

func (constant) Claim(context.Context, ports.HostTarget, string) error { return nil }

func (constant) Boot(context.Context, ports.HostTarget, string, ports.HostBoot) error { return nil }

func (constant) Release(context.Context, ports.HostTarget, string) error { return nil }

// TestRepeatedCallsAreDelayed has hosts that always report the phase of which a call is the consequence. A tenant could
// otherwise use the limits of the API server that all namespaces share.
func TestRepeatedCallsAreDelayed(t *testing.T) {
	for name, c := range map[string]struct {
		phase  host.Phase
		change func(*ports.HostMachine)
	}{
		"prepare": {host.PhaseReleased, func(*ports.HostMachine) {}},
		"boot":    {host.PhaseClaimed, func(m *ports.HostMachine) { m.SentAt = time.Unix(1_800_000_000, 0) }},
		"release": {host.PhaseInterrupted, func(m *ports.HostMachine) {
			m.SentAt, m.DeletedAt, m.Identified = time.Unix(1_800_000_000, 0), time.Unix(1_800_000_000, 0), true
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			claim := host.Claim{ID: "c", Machine: "m", Host: "h"}
			w.add("h", func(e *ports.HostEntry) { e.Claim, e.Finalizer = claim, true })
			w.addMachine("m", func(m *ports.HostMachine) { m.Finalizer, m.Claim = true, claim }, c.change)
			machines := w.machines()
			machines.Drivers.Hosts = constant{Driver: machines.Drivers.Hosts, phase: c.phase}
			var delays []time.Duration
			for range 8 {
				after, err := machines.Reconcile(t.Context(), key("m"))
				if err != nil {
					t.Fatal(err)
				}
				delays = append(delays, after)
			}
			if delays[0] != time.Second || delays[1] != 2*time.Second || delays[7] != time.Minute {
				t.Errorf("the delays are %v", delays)
			}
		})
	}
}
