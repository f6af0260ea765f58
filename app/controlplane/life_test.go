package controlplane_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/ports"
	"github.com/machineadm/machineadm/test/nightly"
)

// story is something that happens to a control plane, with its result.
type story struct {
	reason   string
	replicas int
	surge    int
	// happens happens to the control plane while it is as desired.
	happens func(w *world)
	// want is the number of replicas afterwards.
	want int
}

// stories are the lives that a control plane must survive, also while calls fail.
func stories() map[string]story {
	return map[string]story{
		"scale from 1 to 3": {
			reason: "machines join one after the other", replicas: 1, surge: 1, want: 3,
			happens: func(w *world) { w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Replicas = 3 }) },
		},
		"scale from 5 to 1": {
			reason: "members leave before their machines", replicas: 5, surge: 1, want: 1,
			happens: func(w *world) { w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Replicas = 1 }) },
		},
		"rollout with surge 1": {
			reason: "a new machine joins before an old one leaves", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) { w.roll("two") },
		},
		"rollout with surge 0": {
			reason: "there is no room for a fourth machine", replicas: 3, surge: 0, want: 3,
			happens: func(w *world) { w.roll("two") },
		},
		"rollout of one": {
			reason: "its replacement joins first", replicas: 1, surge: 1, want: 1,
			happens: func(w *world) { w.roll("two") },
		},
		"a second change during a rollout": {
			reason: "machines of the first change are replaced, too", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) {
				w.roll("two")
				w.runs(2)
				w.roll("three")
			},
		},
		"a dead machine is marked": {
			reason: "it is replaced", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) {
				w.plane.Stop(w.names()[1])
				w.mark(w.names()[1])
			},
		},
		"a healthy machine is marked": {
			reason: "it is replaced", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) { w.mark(w.names()[0]) },
		},
		"the only machine is marked": {
			reason: "its replacement joins first", replicas: 1, surge: 1, want: 1,
			happens: func(w *world) { w.mark(w.names()[0]) },
		},
		"the only machine is deleted": {
			reason: "its replacement joins first", replicas: 1, surge: 1, want: 1,
			happens: func(w *world) { w.plane.DeleteMachine(w.names()[0]) },
		},
		"one is dead and another one is deleted": {
			reason: "the dead one leaves first, because the other one may not", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) {
				w.plane.Stop(w.names()[0])
				w.mark(w.names()[0])
				w.plane.DeleteMachine(w.names()[1])
			},
		},
		"two of five are dead": {
			reason: "the three others are a quorum", replicas: 5, surge: 1, want: 5,
			happens: func(w *world) {
				for _, name := range w.names()[:2] {
					w.plane.Stop(name)
					w.mark(name)
				}
			},
		},
		"a machine vanishes": {
			reason: "its member is removed, and a machine is created", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) { w.plane.Vanish(w.names()[2]) },
		},
		"a machine that joins is deleted": {
			reason: "its learner must not prevent the next one", replicas: 1, surge: 1, want: 3,
			happens: func(w *world) {
				w.plane.Change(func(c *ports.ControlPlane) { c.Desired.Replicas = 3 })
				for range 20 {
					if w.runs(1); len(w.names()) > 1 {
						break
					}
				}
				w.runs(2)
				w.plane.DeleteMachine(w.names()[len(w.names())-1])
			},
		},
		"a machine fails to boot": {
			reason: "a health check marks it, and it is replaced", replicas: 3, surge: 1, want: 3,
			happens: func(w *world) {
				w.roll("two")
				w.runs(1)
				name := w.names()[len(w.names())-1]
				w.plane.ChangeMachine(name, func(m *controlplane.Machine) { m.Failure = "the bootstrap failed" })
				w.mark(name)
			},
		},
	}
}

// begin returns a control plane that is as desired before the story.
func (s story) begin(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, func(c *ports.ControlPlane) { c.Desired.Replicas, c.Desired.MaxSurge = s.replicas, s.surge })
	w.run()
	w.isWell(s.replicas)
	w.most = 0
	return w
}

func TestStories(t *testing.T) {
	for name, s := range stories() {
		t.Run(name, func(t *testing.T) {
			w := s.begin(t)
			s.happens(w)
			w.run()
			w.isWell(s.want)
			if limit := max(s.replicas, s.want) + s.surge; w.most > limit {
				w.fail("%s: there were %d machines, want at most %d", s.reason, w.most, limit)
			}
		})
	}
}

// TestScale scales through all sizes with one control plane.
func TestScale(t *testing.T) {
	w := newWorld(t, func(c *ports.ControlPlane) { c.Desired.Replicas = 0 })
	w.run()
	if len(w.names()) != 0 {
		w.fail("there are machines")
	}
	for _, replicas := range []int{1, 3, 5, 3, 1} {
		w.scale(replicas)
	}
}

// TestControllerRestarts runs each story with a controller that forgets everything before each operation.
func TestControllerRestarts(t *testing.T) {
	for name, s := range stories() {
		t.Run(name, func(t *testing.T) {
			w := s.begin(t)
			w.restarts = true
			s.happens(w)
			w.run()
			w.isWell(s.want)
		})
	}
}

// TestRepeatedDecisions runs each story with machines that advance between any two operations at another speed: one at
// a time. A decision that is repeated before its effect is visible must not have another effect.
func TestRepeatedDecisions(t *testing.T) {
	for name, s := range stories() {
		t.Run(name, func(t *testing.T) {
			w := s.begin(t)
			s.happens(w)
			for range 200 {
				for _, name := range w.names() {
					w.reconcile()
					w.reconcile()
					w.plane.AdvanceMachine(name)
				}
			}
			w.run()
			w.isWell(s.want)
		})
	}
}

// TestFaults runs each story while each n-th call of a port fails. Nothing unsafe may happen, and the goal is reached
// as soon as calls succeed.
func TestFaults(t *testing.T) {
	modes := []mode{modeFail, modeTimeout, modeLost}
	for name, s := range stories() {
		for _, every := range nightly.Sample([]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 19, 23}, 5) {
			for _, mode := range modes {
				t.Run(fmt.Sprintf("%s, call %d %s", name, every, mode), func(t *testing.T) {
					w := s.begin(t)
					w.faults.every, w.faults.mode = every, mode
					s.happens(w)
					w.runs(60)
					w.faults.every = 0
					w.run()
					w.isWell(s.want)
				})
			}
		}
	}
}

// TestNewClusterWithFaults creates a control plane while each n-th call fails.
func TestNewClusterWithFaults(t *testing.T) {
	for _, mode := range []mode{modeFail, modeTimeout, modeLost} {
		for every := 2; every < 14; every++ {
			t.Run(fmt.Sprintf("call %d %s", every, mode), func(t *testing.T) {
				w := newWorld(t)
				w.faults.every, w.faults.mode = every, mode
				w.runs(60)
				w.faults.every = 0
				w.run()
				w.isWell(3)
			})
		}
	}
}

// TestRolloutSpreads checks that a rollout leaves the machines in different failure domains.
func TestRolloutSpreads(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.roll("two")
	w.run()
	var domains []string
	for _, m := range w.plane.Machines() {
		domains = append(domains, m.FailureDomain)
	}
	slices.Sort(domains)
	if !slices.Equal(domains, []string{"a", "b", "c"}) {
		w.fail("the failure domains are %q", domains)
	}
}

// TestTalos starts a cluster whose machines boot alike: they are created at once, and one of them starts the cluster.
func TestTalos(t *testing.T) {
	w := newWorld(t, func(c *ports.ControlPlane) { c.Desired.Type = node.ControlPlaneTalos })
	w.run()
	w.isWell(3)
	w.roll("two")
	w.run()
	w.isWell(3)
	key := ports.Key{Namespace: "n", Name: "c1"}
	if _, err := w.talos.Find(t.Context(), key); err != nil {
		t.Errorf("the secrets of the cluster: %v", err)
	}
	// The configuration of Talos machines contains them as well.
	for _, p := range node.ControlPlanePurposes(false) {
		if _, err := w.certs.Find(t.Context(), key, p); err != nil {
			t.Errorf("the key pair %s: %v", p, err)
		}
	}
}

// TestStartWithoutStarter checks that a control plane type whose cluster no one starts reports it.
func TestStartWithoutStarter(t *testing.T) {
	w := newWorld(t, func(c *ports.ControlPlane) { c.Desired.Type = node.ControlPlaneTalos })
	w.reconciler.Talos.Starter = nil
	w.runs(10)
	if failure := w.status().Failure; !strings.Contains(failure, "Talos are not started") {
		w.fail("the failure is %q", failure)
	}
}

// TestRecovery checks that nothing is done without a quorum, and that a control plane grows back from the one machine
// into which a snapshot was restored, when the user has deleted the others. Its member is another one than recorded.
func TestRecovery(t *testing.T) {
	for name, lost := range map[string]func(w *world, machine string){
		"the others are switched off": func(w *world, machine string) { w.plane.Stop(machine) },
		"the others run without data": func(*world, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			w := three(t)
			machines := w.names()
			for _, machine := range machines[1:] {
				w.plane.Stop(machine)
			}
			w.runs(10)
			if !slices.Equal(w.names(), machines) || w.status().Operation.Kind != controlplane.KindWait {
				w.fail("something is done without a quorum")
			}
			w.plane.RestoreEtcd(machines[0])
			for _, machine := range machines[1:] {
				w.plane.Start(machine)
				lost(w, machine)
			}
			// Until the user has deleted them, the others are waited for.
			w.runs(10)
			if !slices.Equal(w.names(), machines) || w.plane.Voters() != 1 {
				w.fail("machines are created or deleted")
			}
			for _, machine := range machines[1:] {
				w.plane.DeleteMachine(machine)
			}
			w.run()
			w.isWell(3)
			if now := w.names(); !slices.Contains(now, machines[0]) || slices.Contains(now, machines[1]) ||
				slices.Contains(now, machines[2]) {
				w.fail("the machines are %q", now)
			}
		})
	}
}

// TestFirstMachineFails lets each machine fail as soon as it exists, and expects few machines, and the time of the next
// one in the status.
func TestFirstMachineFails(t *testing.T) {
	w := newWorld(t)
	created := map[string]bool{}
	run := func(d time.Duration) {
		for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
			w.runs(1)
			for _, name := range w.names() {
				created[name] = true
				w.plane.ChangeMachine(name, func(m *controlplane.Machine) { m.Failure = "[ERROR ImagePull]" })
			}
		}
	}
	run(5 * time.Minute)
	if len(created) > 4 {
		w.fail("%d machines were created in five minutes", len(created))
	}
	if s := w.status(); s.Reason.Code != controlplane.CodeRemediationDelayed ||
		!strings.Contains(s.Reason.Message, "is replaced not before 2027-01-15T08:") {
		w.fail("the reason is %s: %s", s.Reason.Code, s.Reason.Message)
	}
	run(time.Hour)
	if len(created) > 9 {
		w.fail("%d machines were created in an hour", len(created))
	}
}
