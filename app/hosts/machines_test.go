package hosts_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

func TestMachineIsProvisionedAndReleased(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m")
	w.reconcile("m")
	if w.runs("h") != 1 || w.machine("m").Provisioned || w.host("h").Claim.ID != w.machine("m").Claim.ID {
		t.Fatalf("while it boots: %d runs, %+v", w.runs("h"), w.machine("m").Machine)
	}
	if !w.objects.Status(key("m")).Polled {
		t.Error("the status of a machine that waits is not compared with the cache")
	}
	w.fleet.Finish(key("h"), "")
	w.reconcile("m")
	status := w.objects.Status(key("m"))
	if !status.Provisioned || w.ready("m").Status != host.StatusTrue || len(status.Observation.Addresses) == 0 {
		t.Fatalf("afterwards: %+v", status)
	}
	w.delete("m")
	w.reconcile("m")
	w.reconcile("m")
	if _, err := w.objects.Machine(t.Context(), key("m")); !errors.Is(err, ports.ErrNoMachine) {
		t.Error("the machine still exists")
	}
	if e := w.host("h"); !e.Claim.IsZero() || e.Finalizer || w.fleet.Claim(key("h")) != "" {
		t.Errorf("the host is not released: %+v", e)
	}
}

// TestFaultsOfDrivers has a row for each kind of fault and its end.
func TestFaultsOfDrivers(t *testing.T) {
	unreachable := memory.HostFailure{Fault: host.FaultUnreachable}
	cases := map[string]struct {
		reason  string
		failure memory.HostFailure
		calls   []memory.HostCall
		// later is how long the fault lasts before it is decided.
		later time.Duration
		// earlier is the fault of the status before later; empty is that of the failure.
		earlier host.Fault
		// runs is the number of runs on the first host, moved whether the machine has another host, and ready the reason.
		runs  int
		moved bool
		ready host.Reason
	}{
		"changed key": {
			reason: "another host serves the machine", failure: memory.HostFailure{Fault: host.FaultHostKeyChanged},
			moved: true, ready: host.ReasonBooting,
		},
		"unreachable": {
			reason: "it may return soon", failure: unreachable, ready: host.FaultUnreachable.Reason(),
		},
		"unreachable for long": {
			reason: "another host serves the machine", failure: unreachable, later: time.Hour, moved: true,
			ready: host.ReasonBooting,
		},
		"unreachable after another fault": {
			reason: "the time of the other fault is not part of claimSeconds", failure: unreachable, later: time.Hour,
			earlier: host.FaultBusy, ready: host.FaultUnreachable.Reason(),
		},
		"response of boot lost": {
			reason: "the run was started", failure: memory.HostFailure{Fault: host.FaultUnreachable, After: true},
			calls: []memory.HostCall{memory.HostCallBoot}, runs: 1, ready: host.ReasonBooting,
		},
		"disk full": {
			reason: "the data may be on the host", failure: memory.HostFailure{Fault: host.FaultDiskFull},
			calls: []memory.HostCall{memory.HostCallBoot}, ready: host.FaultDiskFull.Reason(),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.addMachine("m")
			first := w.firstChoice("m", "h1", "h2")
			w.fleet.Fail(key(first), c.failure, c.calls...)
			w.reconcile("m")
			if c.later > 0 {
				w.age("m", cmp.Or(c.earlier, c.failure.Fault), c.later)
			}
			w.reconcile("m")
			if got := w.runs(first); got != c.runs {
				t.Errorf("%s: %d runs, want %d", c.reason, got, c.runs)
			}
			if got := w.machine("m").Claim.Host != first; got != c.moved {
				t.Errorf("%s: the machine has another host: %v", c.reason, got)
			}
			if got := w.ready("m"); got.Reason != c.ready {
				t.Errorf("%s: %+v, want %s", c.reason, got, c.ready)
			}
		})
	}
}

// firstChoice adds the hosts and returns the one that the machine prefers.
func (w *world) firstChoice(machine string, names ...string) string {
	for _, n := range names {
		w.addHost(n)
	}
	all, _ := w.objects.Hosts(w.t.Context(), namespace)
	return host.Select(host.Request{Machine: machine}, all).Host
}

// age stores the fault of the status in the machine, as its object does, and lets time pass.
func (w *world) age(name string, f host.Fault, by time.Duration) {
	m := w.machine(name)
	m.Fault, m.FaultSince = f, w.clock.Now()
	w.objects.SetMachine(m)
	w.clock.Advance(by)
}

func TestFailedRunIsTerminalAndKeepsTheHost(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m")
	w.reconcile("m")
	w.fleet.Finish(key("h"), "there is no disk")
	w.reconcile("m")
	status := w.objects.Status(key("m"))
	if status.Failed != host.ReasonBootFailed || !strings.Contains(status.FailureMessage, "there is no disk") {
		t.Errorf("%+v", status)
	}
	w.reconcile("m")
	if w.ready("m").Message == "" || w.host("h").Claim.IsZero() || w.runs("h") != 1 {
		t.Errorf("the failure is not final: %+v, %d runs", w.ready("m"), w.runs("h"))
	}
}

// TestFailedResetMarksTheHost checks that a deletion ends and that no machine gets the host.
func TestFailedResetMarksTheHost(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m")
	w.reconcile("m")
	w.fleet.BreakReset(key("h"))
	w.delete("m")
	w.reconcile("m")
	w.addMachine("next")
	w.reconcile("next")
	if e := w.host("h"); e.Unavailable != host.FaultReset.Reason() || !e.Claim.IsZero() {
		t.Errorf("%+v", e)
	}
	if got := w.ready("next").Reason; got != host.ReasonNoAvailableHost {
		t.Errorf("the next machine: %s", got)
	}
}

// TestDeletionWithoutController checks that the time without a controller is not part of releaseSeconds: without an
// attempt to reset them, hosts would leave the pool.
func TestDeletionWithoutController(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m")
	w.reconcile("m")
	w.delete("m")
	w.clock.Advance(24 * time.Hour)
	w.started = w.clock.Now()
	for w.machine("m").Name != "" && w.clock.Now().Sub(w.started) < time.Minute {
		w.clock.Advance(w.reconcile("m"))
	}
	if e := w.host("h"); e.Unavailable != "" || !e.Claim.IsZero() {
		t.Errorf("%+v", e)
	}
	if m := w.machine("m"); m.Name != "" {
		t.Errorf("the machine exists: %+v", m)
	}
}

// TestDeletionWhilePaused checks that the time of a pause is not part of releaseSeconds, either, also before the status
// reports its end.
func TestDeletionWhilePaused(t *testing.T) {
	w := newWorld(t)
	w.addHost("h")
	w.addMachine("m")
	w.reconcile("m")
	w.delete("m")
	w.clock.Advance(24 * time.Hour)
	resumed := w.clock.Now()
	m := w.machine("m")
	m.PauseReported, m.Identified = true, true
	w.objects.SetMachine(m)
	w.fleet.Fail(key("h"), memory.HostFailure{Fault: host.FaultUnreachable})
	w.reconcile("m")
	if m = w.machine("m"); m.PauseReported || m.Claim.IsZero() {
		t.Fatalf("the host was given up at once: %+v", m)
	}
	w.fleet.Fail(key("h"), memory.HostFailure{})
	m.ResumedAt = resumed
	w.objects.SetMachine(m)
	for w.machine("m").Name != "" && w.clock.Now().Sub(resumed) < time.Minute {
		w.clock.Advance(w.reconcile("m"))
	}
	if e := w.host("h"); e.Unavailable != "" || !e.Claim.IsZero() {
		t.Errorf("%+v", e)
	}
}

// TestFailedMachineReportsPause checks that the only change of a machine that has failed is its condition Paused.
func TestFailedMachineReportsPause(t *testing.T) {
	w := newWorld(t)
	w.addMachine("m", func(m *ports.HostMachine) { m.Failed, m.Paused = host.ReasonBootFailed, true })
	writes := 0
	w.objects.Written = func(string) error { writes++; return nil }
	w.reconcile("m")
	w.reconcile("m")
	if !w.machine("m").PauseReported || writes != 1 || w.objects.Status(key("m")).Conditions != nil {
		t.Errorf("%d changes, %+v", writes, w.objects.Status(key("m")))
	}
}

func TestMachineOfADisabledDriverWaits(t *testing.T) {
	w := newWorld(t)
	w.addMachine("m", func(m *ports.HostMachine) { m.Settings = &ports.HostMachineSettings{Root: "debian"} })
	if after := w.reconcile("m"); after == 0 || w.ready("m").Reason != host.FaultDisabled.Reason() {
		t.Errorf("after %s: %+v", after, w.ready("m"))
	}
}

// TestChangedDriver removes the settings of a machine that a driver created, and adds them to one that has a host. The
// driver cannot be called, the condition names the remedy, and the deletion ends. The host is not returned to the pool.
func TestChangedDriver(t *testing.T) {
	created := &ports.HostMachineSettings{Root: "debian"}
	for name, c := range map[string]struct {
		before, after *ports.HostMachineSettings
		message       string
	}{
		"removed": {created, nil, "was removed after the machine was created; restore it"},
		"added":   {nil, created, "was added after the machine claimed a host; remove it"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.addHost("h")
			w.addMachine("m", func(m *ports.HostMachine) { m.Settings = c.before })
			w.namespaces = w.driver()
			w.reconcile("m")
			m := w.machine("m")
			if m.SentAt.IsZero() {
				t.Fatalf("the machine does not boot: %+v", w.ready("m"))
			}
			m.Settings = c.after
			w.objects.SetMachine(m)
			w.reconcile("m")
			if got := w.ready("m"); got.Reason != host.FaultDisabled.Reason() || !strings.Contains(got.Message, c.message) {
				t.Errorf("the condition is %+v", got)
			}
			w.delete("m")
			w.reconcile("m")
			if got := w.ready("m"); got.Reason != host.FaultDisabled.Reason() || !strings.Contains(got.Message, c.message) {
				t.Errorf("during the deletion, the condition is %+v", got)
			}
			w.clock.Advance(host.DefaultTimeouts().Release)
			w.reconcile("m")
			w.clock.Advance(host.DefaultTimeouts().Poll)
			w.reconcile("m")
			if _, err := w.objects.Machine(t.Context(), key("m")); !errors.Is(err, ports.ErrNoMachine) {
				t.Error("the machine still exists")
			}
			if marked := w.host("h").Unavailable != ""; marked != (c.before == nil) {
				t.Errorf("the host is %+v", w.host("h").Host)
			}
		})
	}
}

// TestTwoMachinesOneHost has 20 machines that want 5 hosts, with caches that are never updated.
func TestTwoMachinesOneHost(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.addHost(fmt.Sprintf("h%d", i))
	}
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("m%d", i))
		w.addMachine(names[i])
	}
	for round := range 60 {
		// The caches follow after several rounds only.
		if round%7 == 0 {
			w.cached = w.objects.Snapshot()
		}
		for _, n := range names {
			if _, err := w.machines().Reconcile(t.Context(), key(n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	owners := map[string]string{}
	for _, n := range names {
		m := w.machine(n)
		if m.SentAt.IsZero() {
			continue
		}
		if other, taken := owners[m.Claim.Host]; taken {
			t.Errorf("%s and %s have the host %s", n, other, m.Claim.Host)
		}
		owners[m.Claim.Host] = n
	}
	if len(owners) != 5 {
		t.Errorf("%d hosts have a machine", len(owners))
	}
	for h := range maps.Keys(owners) {
		if w.runs(h) != 1 {
			t.Errorf("%s: %d runs", h, w.runs(h))
		}
	}
}

// TestControllerKilledAtEachStep stops the controller before each change of an object, and after each call of the
// driver, and expects the same end as without a stop.
func TestControllerKilledAtEachStep(t *testing.T) {
	killed := errors.New("killed")
	for at := 0; ; at++ {
		w, count, stopped := newWorld(t), 0, false
		w.objects.Written = func(string) error {
			count++
			if stopped = count == at+1; stopped {
				return killed
			}
			return nil
		}
		w.addHost("h")
		w.addMachine("m")
		seen := false
		life := func(done func() bool) {
			for range 60 {
				_, err := w.machines().Reconcile(t.Context(), key("m"))
				seen = seen || errors.Is(err, killed)
				if done() {
					return
				}
			}
			t.Fatalf("change %d: it does not continue", at)
		}
		life(func() bool { return w.runs("h") == 1 })
		w.fleet.Finish(key("h"), "")
		life(func() bool { return w.ready("m").Status == host.StatusTrue })
		w.delete("m")
		life(func() bool { return w.machine("m").Name == "" })
		if e := w.host("h"); w.runs("h") != 1 || !e.Claim.IsZero() || w.fleet.Claim(key("h")) != "" {
			t.Errorf("change %d: %d runs, %+v", at, w.runs("h"), e)
		}
		if !seen {
			if at < 10 {
				t.Errorf("only %d changes", at)
			}
			return
		}
	}
}

// TestOperationsKeepTheirOrder records the changes of a machine's life.
func TestOperationsKeepTheirOrder(t *testing.T) {
	w := newWorld(t)
	var changes []string
	w.objects.Written = func(change string) error {
		if !strings.HasPrefix(change, "status") {
			changes = append(changes, change)
		}
		return nil
	}
	w.addHost("h")
	w.addMachine("m")
	w.reconcile("m")
	w.fleet.Finish(key("h"), "")
	w.reconcile("m")
	w.delete("m")
	w.reconcile("m")
	w.reconcile("m")
	want := []string{
		"finalizer", "claim of the machine", "claim of the host", "claim of the machine", "provider ID",
		"claim of the host", "claim of the machine", "finalizer",
	}
	if !slices.Equal(changes, want) {
		t.Errorf("got %q, want %q", changes, want)
	}
}
