package controlplane_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/memory"
	app "github.com/machineadm/machineadm/app/controlplane"
	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
)

// world is a simulated control plane with the use case. After each reconciliation it checks what must never happen.
type world struct {
	t     *testing.T
	plane *memory.ControlPlane
	certs *memory.Certificates
	talos *memory.TalosSecrets
	clock *memory.Clock
	// faults makes calls of the ports fail.
	faults *faults
	// restarts means that each reconciliation is that of a controller that has just started.
	restarts   bool
	reconciler *app.Reconciler
	// log lists the operations, for messages. most is the largest number of machines that were not terminating.
	log  []string
	most int
}

func planeKey() ports.Key { return ports.Key{Namespace: "n", Name: "cp"} }

// newWorld returns a control plane without machines.
func newWorld(t *testing.T, change ...func(*ports.ControlPlane)) *world {
	t.Helper()
	c := ports.ControlPlane{
		Key: planeKey(), ClusterName: "c1", Network: node.Cluster{Name: "c1", Endpoint: "api.example.org:6443"},
		Desired: controlplane.Desired{
			Replicas: 3, MaxSurge: 1, Type: node.ControlPlaneKubeadm, FailureDomains: []string{"a", "b", "c"},
			Template: controlplane.Template{Version: "v1.36.3", Bootstrap: "one"},
		},
	}
	for _, f := range change {
		f(&c)
	}
	clock := memory.NewClock(time.Unix(1_800_000_000, 0).UTC())
	w := &world{
		t: t, plane: memory.NewControlPlane(c, clock), certs: &memory.Certificates{}, talos: &memory.TalosSecrets{},
		clock: clock, faults: &faults{},
	}
	w.reconciler = w.start()
	return w
}

// start returns a controller that has just started.
func (w *world) start() *app.Reconciler {
	return &app.Reconciler{
		Objects: faultyObjects{w.faults, w.plane}, Machines: faultyMachines{w.faults, w.plane},
		Certificates: faultyCertificates{w.certs, w.faults}, TalosSecrets: w.talos,
		Kubeconfigs: faultyKubeconfigs{w.faults, w.plane.Kubeconfigs()},
		Kubeadm: app.Cluster{
			Members:  faultyMembers{w.faults, w.plane.Members()},
			Workload: faultyWorkload{w.faults, w.plane.Workload()},
		},
		Talos: app.Cluster{
			Members:  faultyMembers{w.faults, w.plane.Members()},
			Workload: faultyWorkload{w.faults, w.plane.Workload()}, Starter: w.plane.Starter(),
		},
		Clock: w.clock,
	}
}

// reconcile reconciles once, checks the invariants and returns the delay.
func (w *world) reconcile() time.Duration {
	w.t.Helper()
	if w.restarts {
		w.reconciler = w.start()
	}
	quorate, voters := w.plane.Quorate(), w.plane.Voters()
	after, err := w.reconciler.Reconcile(w.t.Context(), planeKey())
	if err != nil && !w.faults.active() {
		w.t.Fatalf("reconcile: %v", err)
	}
	status, _ := w.plane.Status()
	if entry := describe(status); len(w.log) == 0 || w.log[len(w.log)-1] != entry {
		w.log = append(w.log, entry)
	}
	if after < 0 || after > time.Minute {
		w.fail("the delay is %s", after)
	}
	if quorate && !w.plane.Quorate() {
		w.fail("an operation lost the quorum")
	}
	if voters > 0 && w.plane.Voters() == 0 {
		w.fail("the last member was removed")
	}
	if firsts := w.plane.Firsts(); firsts > 1 {
		w.fail("%d machines initialize the cluster", firsts)
	}
	w.count()
	return after
}

// count records how many machines are not terminating.
func (w *world) count() {
	n := 0
	for _, m := range w.plane.Machines() {
		if m.Phase != controlplane.PhaseTerminating {
			n++
		}
	}
	w.most = max(w.most, n)
}

func describe(s ports.ControlPlaneStatus) string {
	o := s.Operation
	return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s: %s %s %s", o.Kind, o.Machine, o.FailureDomain,
		s.Reason.Code, s.Reason.Message, s.Failure)), " ")
}

// fail ends the test with what happened.
func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	var machines []string
	for _, m := range w.plane.Machines() {
		machines = append(machines, fmt.Sprintf("%s %s %s", m.Name, m.Phase, m.Template.Bootstrap))
	}
	w.t.Fatalf("%s\nmachines: %s\n%s", fmt.Sprintf(format, args...), strings.Join(machines, ", "),
		strings.Join(w.log, "\n"))
}

// settled means that nothing is to be done and that nothing changes any more.
const settled = 3

// run reconciles and lets machines advance, until nothing changes for some rounds.
func (w *world) run() {
	w.t.Helper()
	idle := 0
	for range 400 {
		w.reconcile()
		status, finished := w.plane.Status()
		if finished {
			return
		}
		advanced := w.plane.Advance()
		w.clock.Advance(20 * time.Second)
		if idle++; advanced || status.Operation.Kind != controlplane.KindWait {
			idle = 0
		}
		if idle == settled {
			return
		}
	}
	w.fail("it never ends")
}

// runs reconciles and lets machines advance for a number of rounds.
func (w *world) runs(rounds int) {
	w.t.Helper()
	for range rounds {
		w.reconcile()
		w.plane.Advance()
		w.clock.Advance(20 * time.Second)
	}
}

// scale changes the number of replicas and waits for the machines.
func (w *world) scale(replicas int) {
	w.t.Helper()
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Replicas = replicas })
	w.run()
	w.isWell(replicas)
}

// isWell expects that the control plane is as desired: running machines of the template, each with a voting member.
func (w *world) isWell(replicas int) {
	w.t.Helper()
	c, err := w.plane.Read(context.Background(), planeKey())
	if err != nil {
		w.fail("read: %v", err)
	}
	if len(c.Observed.Machines) != replicas || w.plane.Voters() != replicas || !w.plane.Quorate() {
		w.fail("there are %d machines and %d voting members, want %d", len(c.Observed.Machines), w.plane.Voters(), replicas)
	}
	for _, m := range c.Observed.Machines {
		if m.Phase != controlplane.PhaseRunning || m.Template != c.Desired.Template {
			w.fail("%s is %s with the template %+v", m.Name, m.Phase, m.Template)
		}
	}
}

// names returns the names of the machines.
func (w *world) names() []string {
	var names []string
	for _, m := range w.plane.Machines() {
		names = append(names, m.Name)
	}
	return names
}

// status returns the last status.
func (w *world) status() ports.ControlPlaneStatus {
	s, _ := w.plane.Status()
	return s
}

// roll changes the template.
func (w *world) roll(to string) {
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Template.Bootstrap = to })
}

// mark marks a machine as a health check does.
func (w *world) mark(name string) {
	w.plane.ChangeMachine(name, func(m *controlplane.Machine) { m.Unhealthy = true })
}
