package hosts_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// add adds a host that was never probed.
func (w *world) add(name string, change ...func(*ports.HostEntry)) {
	e := ports.HostEntry{
		Namespace: namespace, Host: host.Host{Name: name},
		Connection: ports.HostConnection{HostKeys: []string{"ssh-ed25519 AAAA"}},
	}
	for _, f := range change {
		f(&e)
	}
	w.objects.SetHost(e)
}

func (w *world) probe(name string) time.Duration {
	w.t.Helper()
	for range 10 {
		after, err := w.inventory().Reconcile(w.t.Context(), key(name))
		if err != nil {
			w.t.Fatal(err)
		}
		if after == 0 || after >= time.Second {
			return after
		}
	}
	return 0
}

func TestProbes(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*ports.HostEntry)
		fault  host.Fault
		state  host.State
		why    host.Reason
	}{
		"new":         {reason: "it is probed once", state: host.StateAvailable, why: host.ReasonAvailable},
		"unreachable": {"", nil, host.FaultUnreachable, host.StateUnavailable, host.FaultUnreachable.Reason()},
		"busy": {
			reason: "our own limits are no property of the host", fault: host.FaultBusy, state: host.StatePending,
			why: host.ReasonNotProbed,
		},
		"no key": {
			reason: "trust on first use must be requested", change: func(e *ports.HostEntry) { e.Connection.HostKeys = nil },
			state: host.StateUnavailable, why: host.FaultHostKeyUnknown.Reason(),
		},
		"first key": {
			reason: "it is requested",
			change: func(e *ports.HostEntry) { e.Connection.HostKeys, e.TrustsFirstKey = nil, true },
			state:  host.StateAvailable, why: host.ReasonAvailable,
		},
		"paused": {
			reason: "nothing is decided", change: func(e *ports.HostEntry) { e.Paused = true }, state: host.StatePending,
			why: host.ReasonNotProbed,
		},
		"deleting": {
			reason: "it is not probed", change: func(e *ports.HostEntry) { e.Deleting = true }, state: host.StateDeleting,
			why: host.ReasonDeleting,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			change := c.change
			if change == nil {
				change = func(*ports.HostEntry) {}
			}
			w.add("h", change)
			w.fleet.Fail(key("h"), memory.HostFailure{Fault: c.fault}, memory.HostCallProbe)
			w.probe("h")
			h := w.host("h")
			if state, why := h.State(); state != c.state || why != c.why {
				t.Errorf("%s: %s (%s), want %s (%s)", c.reason, state, why, c.state, c.why)
			}
			if message := h.Message; c.state == host.StateUnavailable && (strings.Contains(message, string(c.why)) ||
				!strings.HasSuffix(message, "; "+host.Fault(c.why).Remedy())) {
				t.Errorf("the message repeats the reason or has no remedy: %q", message)
			}
		})
	}
}

// TestFirstKeyIsWrittenOnce checks that trust on first use ends with the first key.
func TestFirstKeyIsWrittenOnce(t *testing.T) {
	w := newWorld(t)
	w.add("h", func(e *ports.HostEntry) { e.Connection.HostKeys, e.TrustsFirstKey = nil, true })
	w.probe("h")
	w.fleet.Describe(key("h"), ports.HostProbe{HostKey: "ssh-ed25519 BBBB"})
	w.clock.Advance(time.Hour)
	w.probe("h")
	if keys := w.host("h").Connection.HostKeys; len(keys) != 1 || keys[0] != "ssh-ed25519 AAAA" {
		t.Errorf("the keys are %q", keys)
	}
}

// TestProbesAreRepeated checks that a host that returns becomes available again, and that probes have a period.
func TestProbesAreRepeated(t *testing.T) {
	w := newWorld(t)
	w.add("h")
	w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultUnreachable}, memory.HostCallProbe)
	after := w.probe("h")
	if after < hosts.DefaultProbePeriod*3/4 || after > hosts.DefaultProbePeriod*5/4 {
		t.Errorf("the next probe is due after %s", after)
	}
	w.fleet.Fail(key("h"), memory.HostFailure{}, memory.HostCallProbe)
	w.probe("h")
	if state, _ := w.host("h").State(); state != host.StateUnavailable {
		t.Errorf("it is probed before it is due: %s", state)
	}
	w.clock.Advance(after)
	w.probe("h")
	if state, _ := w.host("h").State(); state != host.StateAvailable {
		t.Errorf("it is not probed again: %s", state)
	}
}

// TestCorrectedSecretsAreReadSoon checks that a host whose Secret was invalid does not wait for a whole period.
func TestCorrectedSecretsAreReadSoon(t *testing.T) {
	w := newWorld(t)
	w.add("h")
	w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultCredentials}, memory.HostCallProbe)
	after := w.probe("h")
	if after <= 0 || after > hosts.DefaultProbePeriod/8 {
		t.Errorf("the next probe is due after %s", after)
	}
	w.fleet.Fail(key("h"), memory.HostFailure{}, memory.HostCallProbe)
	w.clock.Advance(after)
	next := w.probe("h")
	if state, _ := w.host("h").State(); state != host.StateAvailable || next < hosts.DefaultProbePeriod*3/4 {
		t.Errorf("it is %s, and its next probe is due after %s", state, next)
	}
}

// replaced are Secrets in which a user has replaced the private key, if there is one.
type replaced struct {
	ports.HostSecrets
	key string
}

func (s *replaced) PrivateKey(context.Context, ports.HostEntry) (secret.Value, error) {
	return secret.FromString(s.key), nil
}

// TestReplacedKeysAreTriedSoon checks that a host that refused a key is probed as soon as its Secret has another one,
// and not more often than others with the same key.
func TestReplacedKeysAreTriedSoon(t *testing.T) {
	w := newWorld(t)
	w.add("h")
	keys := &replaced{HostSecrets: w.objects, key: "old"}
	inventory := w.inventory()
	inventory.Secrets = keys
	reconcile := func() time.Duration {
		t.Helper()
		after, err := inventory.Reconcile(t.Context(), key("h"))
		if err != nil {
			t.Fatal(err)
		}
		return after
	}
	w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultAuthentication}, memory.HostCallProbe)
	reconcile()
	w.fleet.Fail(key("h"), memory.HostFailure{}, memory.HostCallProbe)
	after := reconcile()
	if after <= 0 || after > hosts.DefaultProbePeriod/8 {
		t.Errorf("the Secret is read again after %s", after)
	}
	w.clock.Advance(after)
	reconcile()
	if state, _ := w.host("h").State(); state != host.StateUnavailable {
		t.Errorf("the host is probed again with the key that it refused: %s", state)
	}
	keys.key = "new"
	reconcile()
	if state, _ := w.host("h").State(); state != host.StateAvailable {
		t.Errorf("the host is not probed with the new key: %s", state)
	}
}

// TestProbesAreNotPostponedByAnotherClock has the time of a probe that is in the future.
func TestProbesAreNotPostponedByAnotherClock(t *testing.T) {
	w := newWorld(t)
	w.add("h", func(e *ports.HostEntry) { e.Probed, e.ProbedAt = true, w.clock.Now().Add(24*time.Hour) })
	if after := w.probe("h"); after <= 0 || after > hosts.DefaultProbePeriod*5/4 {
		t.Errorf("the next probe is due after %s", after)
	}
}

// TestBusyProbesAreDelayed expects that a probe for which there is no slot does not use the limits of the API server.
func TestBusyProbesAreDelayed(t *testing.T) {
	w := newWorld(t)
	w.add("h")
	w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultBusy}, memory.HostCallProbe)
	if after, err := w.inventory().Reconcile(t.Context(), key("h")); err != nil || after < time.Second {
		t.Errorf("the next probe follows after %s, error %v", after, err)
	}
}

// TestClaimedHosts checks that claims are neither removed nor probed, and that the finalizer follows the claim.
func TestClaimedHosts(t *testing.T) {
	w := newWorld(t)
	w.add("h", func(e *ports.HostEntry) { e.Claim = host.Claim{ID: "c", Machine: "m", Host: "h"} })
	w.probe("h")
	w.probe("h")
	e := w.host("h")
	if e.Claim.ID != "c" || !e.Finalizer || e.Probed || e.Message == "" {
		t.Errorf("%+v", e)
	}
	e.Claim, e.Deleting = host.Claim{}, true
	w.objects.SetHost(e)
	w.probe("h")
	if w.host("h").Name != "" {
		t.Error("a host without a claim keeps its finalizer")
	}
}

// TestDeletionOfAClaimedHost reports what the deletion of a Host waits for.
func TestDeletionOfAClaimedHost(t *testing.T) {
	w := newWorld(t)
	claim := host.Claim{ID: "00000000-0000-4000-8000-000000000000", Machine: "m"}
	w.addMachine("m", func(m *ports.HostMachine) { m.Claim.ID = claim.ID })
	w.add("h", func(e *ports.HostEntry) { e.Claim, e.Finalizer, e.Deleting = claim, true, true })
	w.probe("h")
	const want = "HostMachine m still has the host; the Host is deleted when the Machine is deleted"
	if got := w.host("h").Message; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
