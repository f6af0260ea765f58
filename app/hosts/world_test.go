package hosts_test

import (
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	"github.com/machineadm/machineadm/app/hosts"
	"github.com/machineadm/machineadm/domain/host"
	"github.com/machineadm/machineadm/ports"
)

const namespace = "n"

// world is a fleet, the objects, and the use cases for them.
type world struct {
	t       *testing.T
	fleet   *memory.HostFleet
	objects *memory.HostObjects
	clock   *memory.Clock
	entropy *memory.Entropy
	// cached replaces the objects that may be stale; nil uses those that are not.
	cached ports.HostReader
	// started is the time at which the controller started.
	started time.Time
	// namespaces is the driver of machines in namespaces; nil if it is disabled.
	namespaces hosts.Driver
}

func newWorld(t *testing.T) *world {
	clock := memory.NewClock(time.Unix(1_800_000_000, 0))
	return &world{
		t: t, fleet: &memory.HostFleet{}, clock: clock, entropy: &memory.Entropy{},
		objects: &memory.HostObjects{Format: ports.HostFormatShell, Clock: clock},
	}
}

func key(name string) ports.Key { return ports.Key{Namespace: namespace, Name: name} }

func (w *world) reader() ports.HostReader {
	if w.cached != nil {
		return w.cached
	}
	return w.objects
}

// driver returns the driver of hosts.
func (w *world) driver() hosts.Driver {
	return w.fleet.Driver(ports.HostFormatShell, ports.HostFormatAgent)
}

// machines returns the use case of a controller that has just started.
func (w *world) machines() *hosts.Machines {
	return &hosts.Machines{
		Cached: w.reader(), Live: w.objects, Machines: w.objects.Machines(), Hosts: w.objects.Entries(),
		Secrets: w.objects, Drivers: hosts.Drivers{Hosts: w.driver(), Namespaces: w.namespaces}, Clock: w.clock,
		Entropy: w.entropy, Started: w.started,
	}
}

func (w *world) inventory() *hosts.Inventory {
	return &hosts.Inventory{
		Cached: w.reader(), Live: w.objects, Hosts: w.objects.Entries(), Secrets: w.objects,
		Driver: w.driver(), Clock: w.clock, Period: hosts.DefaultProbePeriod,
	}
}

// addHost adds a host that was probed.
func (w *world) addHost(name string) {
	w.objects.SetHost(ports.HostEntry{
		Namespace: namespace, Host: host.Host{Name: name, Probed: true},
		Connection: ports.HostConnection{HostKeys: []string{"ssh-ed25519 AAAA"}}, ProbedAt: w.clock.Now(),
	})
}

// addMachine adds a machine for which everything is ready.
func (w *world) addMachine(name string, change ...func(*ports.HostMachine)) {
	m := ports.HostMachine{
		Key: key(name), Request: host.Request{Machine: name}, Timeouts: host.DefaultTimeouts(),
		ProviderID: "machineadm-hosts:///n/" + name,
		Machine:    host.Machine{Owned: true, ClusterFound: true, InfrastructureReady: true, DataReady: true},
	}
	for _, f := range change {
		f(&m)
	}
	w.objects.SetMachine(m)
}

// reconcile reconciles a machine until nothing changes any more, and returns the delay.
func (w *world) reconcile(name string) time.Duration {
	w.t.Helper()
	for range 50 {
		after, err := w.machines().Reconcile(w.t.Context(), key(name))
		if err != nil {
			w.t.Fatalf("reconcile %s: %v", name, err)
		}
		if after == 0 || after >= host.DefaultTimeouts().Poll {
			return after
		}
	}
	w.t.Fatalf("reconcile %s: it never ends", name)
	return 0
}

func (w *world) machine(name string) ports.HostMachine {
	m, _ := w.objects.Machine(w.t.Context(), key(name))
	return m
}

func (w *world) host(name string) ports.HostEntry {
	e, _ := w.objects.Host(w.t.Context(), key(name))
	return e
}

func (w *world) delete(name string) {
	m := w.machine(name)
	m.DeletedAt = w.clock.Now()
	w.objects.SetMachine(m)
}

func (w *world) runs(name string) int {
	runs, _ := w.fleet.Runs(key(name))
	return runs
}

// ready returns the condition Ready of a machine.
func (w *world) ready(name string) host.Condition {
	for _, c := range w.objects.Status(key(name)).Conditions {
		if c.Type == host.ConditionReady {
			return c
		}
	}
	return host.Condition{}
}
