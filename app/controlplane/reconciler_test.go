package controlplane_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// three returns a control plane of three machines that is as desired.
func three(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.run()
	w.isWell(3)
	w.faults.calls = nil
	return w
}

func TestControlPlaneThatDoesNotExist(t *testing.T) {
	w := newWorld(t)
	after, err := w.reconciler.Reconcile(t.Context(), ports.Key{Namespace: "n", Name: "other"})
	if after != 0 || err != nil {
		t.Errorf("after %s, error %v", after, err)
	}
}

// TestTasksFailAlone checks that the failure of a task beside the plan is in the status, and that machines are created
// nevertheless.
func TestTasksFailAlone(t *testing.T) {
	for call, c := range map[string]struct{ task, reason string }{
		"kubeconfig": {"kubeconfig", "a Secret of another owner must not stop a rollout"},
		"propagate":  {"propagation", "a machine that cannot be patched must not stop a rollout"},
		"expiry":     {"certificate expiry", "the expiry is for information"},
		"record":     {"record of members", "members are matched by address, too"},
	} {
		t.Run(call, func(t *testing.T) {
			w := newWorld(t, func(c *ports.ControlPlane) { c.Desired.Replicas = 1 })
			w.run()
			w.faults.failing = map[string]error{call: fmt.Errorf("broken\nby %s", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln")}
			w.scale(3)
			problem := w.status().Problems[c.task]
			if !strings.Contains(problem, "broken") || strings.Contains(problem, "eyJhbGciOiJIUzI1NiJ9.") ||
				strings.Contains(problem, "\n") {
				t.Errorf("%s: the problems are %q", c.reason, w.status().Problems)
			}
			w.faults.failing = nil
			w.runs(2)
			if problems := w.status().Problems; len(problems) > 0 {
				t.Errorf("the problems stay: %q", problems)
			}
		})
	}
}

// TestUnknownMembers checks that nothing is decided without the members, and since when they are unknown.
func TestUnknownMembers(t *testing.T) {
	w := three(t)
	from := w.clock.Now()
	w.faults.failing = map[string]error{"members": ports.ErrUnreachable}
	w.roll("two")
	w.runs(5)
	members := w.status().Observed.Members
	if members.Known || !members.Since.Equal(from) || !strings.Contains(members.Problem, "cannot be reached") {
		t.Errorf("the members are %+v, want those of %s", members, from)
	}
	if len(w.names()) != 3 || w.status().Operation.Kind != controlplane.KindWait {
		w.fail("something was done")
	}
	if after := w.reconcile(); after != 10*time.Second {
		t.Errorf("the members are asked again after %s", after)
	}
	w.faults.failing = nil
	w.run()
	w.isWell(3)
	w.faults.failing = map[string]error{"members": ports.ErrUnreachable}
	w.clock.Advance(time.Hour)
	for _, want := range []int{1, 2, 4, 8, 10} {
		if after := w.reconcile(); after != time.Duration(want)*time.Second {
			t.Errorf("the members are asked again after %s, want %d seconds", after, want)
		}
	}
}

// TestUnknownWorkload checks that components are unknown, not healthy, and that the status has the time.
func TestUnknownWorkload(t *testing.T) {
	w := three(t)
	from := w.clock.Now()
	w.faults.failing = map[string]error{"workload": context.DeadlineExceeded}
	w.runs(3)
	for _, m := range w.status().Observed.Machines {
		if len(m.Components) > 0 {
			t.Errorf("%s has %v", m.Name, m.Components)
		}
	}
	if problem := w.status().Problems["workload cluster"]; !strings.Contains(problem, from.Format(time.RFC3339)) {
		t.Errorf("the problem is %q", problem)
	}
}

// TestOperationThatFails checks that the failure is in the status, and that the delay grows up to a limit.
func TestOperationThatFails(t *testing.T) {
	w := newWorld(t)
	w.faults.failing = map[string]error{"create": errors.New("quota exceeded")}
	var delays []time.Duration
	for range 12 {
		delays = append(delays, w.reconcile())
	}
	if last := delays[len(delays)-1]; last != 30*time.Second || !slices.IsSorted(delays[1:]) {
		t.Errorf("the delays are %v", delays)
	}
	if s := w.status(); s.Failure != "quota exceeded" || s.Operation.Kind != controlplane.KindCreateFirstMachine {
		t.Errorf("the status is %+v", s)
	}
	w.faults.failing = nil
	w.reconcile()
	if s := w.status(); s.Failure != "" {
		t.Errorf("the failure stays: %q", s.Failure)
	}
}

// TestConflictsAreRepeated checks that an object that changed is no failure.
func TestConflictsAreRepeated(t *testing.T) {
	w := newWorld(t)
	w.runs(1)
	w.faults.failing = map[string]error{"create": ports.ErrConflict, "propagate": ports.ErrConflict}
	w.runs(2)
	if s := w.status(); s.Failure != "" || len(s.Problems) > 0 {
		t.Errorf("the status is %+v", s)
	}
}

// TestLeaderThatCannotBeMoved checks that moving the leader is an optimization: the rollout goes on without.
func TestLeaderThatCannotBeMoved(t *testing.T) {
	for _, failure := range []error{ports.ErrUnreachable, ports.ErrRefused, context.DeadlineExceeded} {
		w := three(t)
		w.faults.failing = map[string]error{"move": failure}
		w.roll("two")
		w.run()
		w.isWell(3)
		if !w.faults.called("move") {
			t.Errorf("%v: the leader is never moved", failure)
		}
	}
}

// TestErrorsHold checks that an error in the specification prevents new machines, and that a warning does not.
func TestErrorsHold(t *testing.T) {
	w := newWorld(t)
	finding := report.Errorf("spec.replicas", "2 is even").To("use an odd number")
	w.plane.Change(func(c *ports.ControlPlane) { c.Findings = []report.Finding{finding} })
	w.runs(10)
	if len(w.names()) > 0 || !strings.Contains(w.status().Reason.Message, "2 is even; use an odd number") {
		w.fail("the reason is %+v", w.status().Reason)
	}
	finding.Severity = report.Warning
	w.plane.Change(func(c *ports.ControlPlane) { c.Findings = []report.Finding{finding} })
	w.run()
	w.isWell(3)
}

// TestErrorsHoldRollouts checks that machines are not replaced by those of a wrong specification.
func TestErrorsHoldRollouts(t *testing.T) {
	w := three(t)
	before := w.names()
	w.plane.Change(func(c *ports.ControlPlane) {
		c.Findings = []report.Finding{report.Errorf("spec.bootstrap", "it is wrong")}
	})
	w.roll("two")
	w.runs(20)
	if !slices.Equal(before, w.names()) {
		w.fail("machines were replaced")
	}
}

// TestCertificatesAreGeneratedOnce checks that missing key pairs are generated for a new cluster only: another CA would
// separate the machines of an existing one.
func TestCertificatesAreGeneratedOnce(t *testing.T) {
	w := three(t)
	w.certs.Remove(ports.Key{Namespace: "n", Name: "c1"}, node.PurposeClusterCA)
	w.roll("two")
	w.runs(20)
	if missing := w.status().Observed.MissingCertificates; !slices.Equal(missing, []string{"c1-ca"}) {
		t.Errorf("the missing certificates are %q", missing)
	}
	if w.faults.called("generate") || w.faults.called("create") {
		w.fail("a certificate or a machine was created")
	}
}

// TestCertificatesOfUsers checks that only users create the certificates of an external etcd.
func TestCertificatesOfUsers(t *testing.T) {
	w := newWorld(t, func(c *ports.ControlPlane) { c.Desired.ExternalEtcd = true })
	w.runs(5)
	failure := w.status().Failure
	if !strings.Contains(failure, "c1-etcd") || !strings.Contains(failure, "create the Secret") {
		w.fail("the failure is %q", failure)
	}
	if len(w.names()) > 0 {
		w.fail("there are machines")
	}
	cluster := ports.Key{Namespace: "n", Name: "c1"}
	w.certs.Put(cluster, node.PurposeEtcdCA, node.KeyPair{Certificate: []byte("ca")})
	w.certs.Put(cluster, node.PurposeEtcdClient, node.KeyPair{Certificate: []byte("c"), Key: secret.FromString("k")})
	w.run()
	if machines := w.plane.Machines(); len(machines) != 3 || w.faults.called("members") {
		w.fail("there are %d machines", len(machines))
	}
}

// TestPause checks that a paused control plane is only read, and that its status is written.
func TestPause(t *testing.T) {
	w := three(t)
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Paused, c.Desired.Replicas = true, 5 })
	if after := w.reconcile(); after != 0 {
		t.Errorf("it is reconciled again after %s", after)
	}
	if !slices.Equal(w.faults.calls, []string{"read", "status"}) {
		t.Errorf("the calls are %q", w.faults.calls)
	}
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Paused = false })
	w.run()
	w.isWell(5)
}

// TestDeletion checks that the control plane outlives the workers, and that its machines are deleted without etcd.
func TestDeletion(t *testing.T) {
	w := three(t)
	w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Deleting, c.Observed.Workers = true, 1 })
	w.runs(10)
	if len(w.names()) != 3 {
		w.fail("machines are deleted before the workers")
	}
	w.plane.Change(func(c *ports.ControlPlane) { c.Observed.Workers = 0 })
	for range 30 {
		// The workload cluster is going away; nothing may depend on it.
		if _, err := w.reconciler.Reconcile(t.Context(), planeKey()); err != nil {
			t.Fatal(err)
		}
		w.plane.Advance()
	}
	if _, finished := w.plane.Status(); !finished || len(w.names()) > 0 {
		w.fail("the control plane does not end")
	}
	for _, call := range []string{"members", "workload", "remove", "move", "kubeconfig"} {
		if w.faults.called(call) {
			t.Errorf("the deletion calls %q", call)
		}
	}
}

// TestCancellation checks that calls which end with the controller are not reported as failures.
func TestCancellation(t *testing.T) {
	w := three(t)
	w.roll("two")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.reconciler.Reconcile(ctx, planeKey()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for _, call := range []string{"prepare", "create", "status"} {
		if w.faults.called(call) {
			t.Errorf("it calls %q", call)
		}
	}
}

// TestMembersAreRecorded checks that the ID of each member and the expiry of the certificates are recorded once.
func TestMembersAreRecorded(t *testing.T) {
	w := three(t)
	ids := map[uint64]bool{}
	for _, m := range w.plane.Machines() {
		ids[m.MemberID] = true
		if m.CertificatesExpireAt.IsZero() {
			t.Errorf("%s has no expiry", m.Name)
		}
	}
	if len(ids) != 3 || ids[0] {
		t.Errorf("the IDs are %v", ids)
	}
	w.runs(3)
	if w.faults.called("record") || w.faults.called("expiry") {
		t.Error("they are recorded again")
	}
}

// TestVoterThatIsNoNode checks that a machine whose API server does not start counts as not joined, although its member
// votes: it is replaced at once when the specification is corrected.
func TestVoterThatIsNoNode(t *testing.T) {
	w := three(t)
	name := w.names()[1]
	w.plane.ChangeMachine(name, func(m *controlplane.Machine) {
		m.Phase, m.NodeName, m.MemberID, m.CertificatesExpireAt = controlplane.PhaseProvisioned, "", 0, time.Time{}
	})
	machine := func() controlplane.Machine {
		all := w.plane.Machines()
		return all[slices.IndexFunc(all, func(m controlplane.Machine) bool { return m.Name == name })]
	}
	w.reconcile()
	if m := machine(); m.MemberID != 0 {
		t.Errorf("the member %d is recorded", m.MemberID)
	}
	w.roll("corrected")
	w.reconcile()
	if m := machine(); m.Phase != controlplane.PhaseDeleting {
		t.Errorf("it is %s", m.Phase)
	}
}

// TestStatusIsLost checks that a moved control plane, whose status is empty, is not initialized a second time.
func TestStatusIsLost(t *testing.T) {
	for name, happens := range map[string]func(w *world){
		"with machines":             func(*world) {},
		"with one that is deleted":  func(w *world) { w.plane.DeleteMachine(w.names()[0]) },
		"with one that is marked":   func(w *world) { w.mark(w.names()[0]) },
		"with one that is replaced": func(w *world) { w.roll("two") },
	} {
		for etcd, external := range map[string]bool{"": false, ", external etcd": true} {
			t.Run(name+etcd, func(t *testing.T) {
				w := newWorld(t, func(c *ports.ControlPlane) {
					c.Desired.Replicas, c.Desired.ExternalEtcd = 1, external
					c.Config.ExternalEtcd = &node.ExternalEtcd{CAFile: "/ca.crt", CertFile: "/client.crt"}
				})
				w.run()
				w.plane.Change(func(c *ports.ControlPlane) { c.Observed.Initialized = false })
				happens(w)
				w.run()
				if !external {
					w.isWell(1)
				} else if names := w.names(); len(names) != 1 {
					w.fail("the machines are %v", names)
				}
			})
		}
	}
}

// TestUnreachableFirstMachine checks that a first machine whose API server never answers is replaced when it is marked.
func TestUnreachableFirstMachine(t *testing.T) {
	w := newWorld(t)
	w.runs(2)
	name := w.names()[0]
	w.plane.ChangeMachine(name, func(m *controlplane.Machine) { m.Failure, m.Unhealthy = "kubeadm init failed", true })
	w.run()
	w.isWell(3)
	if slices.Contains(w.names(), name) {
		w.fail("the machine stays")
	}
}
