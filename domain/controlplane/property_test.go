package controlplane_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/controlplane"
	"github.com/machineadm/machineadm/test/nightly"
)

// observations calls f with random control planes, of which most could not be reached.
func observations(t *testing.T, f func(*testing.T, *rand.Rand, *fixture)) {
	t.Helper()
	sample(t, nightly.Or(int64(100_000), 4_000), f)
}

// sample calls f with n random control planes.
func sample(t *testing.T, n int64, f func(*testing.T, *rand.Rand, *fixture)) {
	t.Helper()
	for seed := range n {
		r := rand.New(rand.NewSource(seed))
		c := random(r)
		if f(t, r, c); t.Failed() {
			t.Fatalf("seed %d: %+v", seed, c)
		}
	}
}

// random returns a control plane of up to seven machines in any state.
func random(r *rand.Rand) *fixture {
	f := perfect(1 + r.Intn(7))
	f.d.Replicas, f.d.MaxSurge = r.Intn(6), r.Intn(2)
	for _, m := range slices.Clone(f.o.Machines) {
		f.disturb(r, m.Name)
	}
	if r.Intn(8) == 0 {
		f.stray(controlplane.Member{ID: 90, Name: "n9", Responds: r.Intn(2) == 0, Learner: r.Intn(2) == 0})
	}
	if r.Intn(20) == 0 {
		f.external()
	}
	f.o.JoinPrepared, f.o.AddonsCurrent, f.o.Initialized = r.Intn(4) > 0, r.Intn(4) > 0, r.Intn(20) > 0
	if r.Intn(10) == 0 {
		f.d.Held = "held"
	}
	return f
}

// disturb changes a machine at random.
func (f *fixture) disturb(r *rand.Rand, name string) {
	phases := []controlplane.Phase{
		controlplane.PhaseRunning, controlplane.PhaseRunning, controlplane.PhaseRunning, controlplane.PhaseRunning,
		controlplane.PhaseCreating, controlplane.PhaseProvisioned, controlplane.PhaseDeleting, controlplane.PhaseDue,
		controlplane.PhaseDue, controlplane.PhaseTerminating,
	}
	m := f.m(name)
	m.Phase, m.FailureDomain = phases[r.Intn(len(phases))], string("abcd"[r.Intn(4)])
	m.Unhealthy, m.DeletionPreferred = r.Intn(4) == 0, r.Intn(8) == 0
	if r.Intn(3) == 0 {
		m.Template.Bootstrap = "b0"
	}
	if r.Intn(10) == 0 {
		m.Addresses = nil
	}
	switch joins := m.Phase == controlplane.PhaseCreating || m.Phase == controlplane.PhaseProvisioned; {
	case joins && r.Intn(2) == 0, r.Intn(8) == 0:
		f.leaveEtcd(name)
	case joins, r.Intn(10) == 0:
		f.member(name).Learner = true
	case r.Intn(5) == 0:
		f.die(name)
	}
}

// same compares two decisions.
func same(t *testing.T, what string, f, g *fixture) {
	t.Helper()
	o, r := f.plan()
	p, s := g.plan()
	if diff := cmp.Diff(o, p) + cmp.Diff(r, s); diff != "" {
		t.Errorf("%s changes the decision: %s", what, diff)
	}
}

func TestPlanIsDeterministic(t *testing.T) {
	observations(t, func(t *testing.T, _ *rand.Rand, f *fixture) { same(t, "nothing", f, f) })
}

func TestOrderDoesNotMatter(t *testing.T) {
	observations(t, func(t *testing.T, r *rand.Rand, f *fixture) {
		g := f.clone()
		r.Shuffle(len(g.o.Machines), func(i, j int) {
			g.o.Machines[i], g.o.Machines[j] = g.o.Machines[j], g.o.Machines[i]
		})
		r.Shuffle(len(g.o.Members.List), func(i, j int) {
			g.o.Members.List[i], g.o.Members.List[j] = g.o.Members.List[j], g.o.Members.List[i]
		})
		o, reason := f.plan()
		p, other := g.plan()
		// Only lists in messages follow the order of the members.
		if decision(o, reason) != decision(p, other) {
			t.Errorf("got %s and %s", decision(o, reason), decision(p, other))
		}
	})
}

func (f *fixture) clone() *fixture {
	g := *f
	g.o.Machines, g.o.Members.List = slices.Clone(f.o.Machines), slices.Clone(f.o.Members.List)
	return &g
}

func TestNamesDoNotMatter(t *testing.T) {
	rename := func(name string) string { return strings.NewReplacer("m1", "z", "m2", "y", "m3", "x").Replace(name) }
	observations(t, func(t *testing.T, _ *rand.Rand, f *fixture) {
		g := f.clone()
		for i := range g.o.Machines {
			m := &g.o.Machines[i]
			m.Name, m.NodeName = rename(m.Name), rename(m.NodeName)
		}
		for i := range g.o.Members.List {
			g.o.Members.List[i].Name = rename(g.o.Members.List[i].Name)
		}
		o, reason := f.plan()
		p, other := g.plan()
		if o.Machine = rename(o.Machine); decision(o, reason) != decision(p, other) {
			t.Errorf("got %s and %s", decision(o, reason), decision(p, other))
		}
	})
}

// permits reports whether the operation leaves a quorum of the members that respond. It counts without the product.
func permits(f *fixture, o controlplane.Operation) bool {
	voters, responding := 0, 0
	for _, m := range f.o.Members.List {
		removed := o.Kind == controlplane.KindRemoveMember && m.ID == o.Member
		if m.Learner || removed {
			continue
		}
		voters++
		if m.Responds && m.Name != "" {
			responding++
		}
	}
	if o.Kind == controlplane.KindCreateMachine && voters > 1 {
		voters++
	}
	return 2*responding > voters
}

// matters reports whether the operation needs a quorum afterwards.
func matters(f *fixture, o controlplane.Operation) bool {
	return !f.d.ExternalEtcd && f.o.Initialized &&
		(o.Kind == controlplane.KindRemoveMember || o.Kind == controlplane.KindCreateMachine)
}

func TestEachOperationLeavesAQuorum(t *testing.T) {
	observations(t, func(t *testing.T, _ *rand.Rand, f *fixture) {
		if o, r := f.plan(); matters(f, o) && !permits(f, o) {
			t.Errorf("%s leaves no quorum", decision(o, r))
		}
	})
}

// TestSilenceAllowsNothing makes each member silent: what must not be done while it responds must not be done then,
// other than the removal of this member.
func TestSilenceAllowsNothing(t *testing.T) {
	observations(t, func(t *testing.T, _ *rand.Rand, f *fixture) {
		for i := range f.o.Members.List {
			g := f.clone()
			g.o.Members.List[i].Responds = false
			o, r := g.plan()
			if matters(g, o) && o.Member != g.o.Members.List[i].ID && !permits(f, o) {
				t.Errorf("%s, only because member %d is silent", decision(o, r), g.o.Members.List[i].ID)
			}
		}
	})
}

// TestOneVoteAtATime expects that no machine whose member responds is deleted while another one leaves.
func TestOneVoteAtATime(t *testing.T) {
	observations(t, func(t *testing.T, _ *rand.Rand, f *fixture) {
		o, r := f.plan()
		member, found := f.o.MemberOf(controlplane.Machine{Name: o.Machine})
		if o.Kind != controlplane.KindDeleteMachine || !found || !member.Responds || member.Learner {
			return
		}
		for _, m := range f.o.Machines {
			other, found := f.o.MemberOf(m)
			leaves := m.Phase == controlplane.PhaseDeleting || m.Phase == controlplane.PhaseDue
			if leaves && found && other.Responds && !other.Learner && f.o.Initialized {
				t.Errorf("%s, while %s leaves", decision(o, r), m.Name)
			}
		}
	})
}

// TestMessagesAreBounded plants hostile text wherever a machine, a member or a user writes it.
func TestMessagesAreBounded(t *testing.T) {
	hostile := strings.Repeat("a\x1b[31m\u202e\n", 50) + "Bearer abcdefgh.ijklmnop"
	sample(t, nightly.Or(int64(5_000), 100), func(t *testing.T, r *rand.Rand, f *fixture) {
		f.o.Members.Known, f.o.Members.Problem, f.d.Held = r.Intn(2) == 0, hostile, hostile
		for i := range f.o.Machines {
			f.o.Machines[i].Failure, f.o.Machines[i].KubeletVersion, f.o.Machines[i].Template.Version = hostile, hostile, ""
		}
		for i := range f.o.Members.List {
			f.o.Members.List[i].Name, f.o.Members.List[i].Alarms = hostile, []string{hostile, hostile}
		}
		_, reason := f.plan()
		if strings.ContainsAny(reason.Message, "\x1b\u202e\n") || len(reason.Message) > 1024 {
			t.Errorf("%q has %d bytes", reason.Message, len(reason.Message))
		}
		for _, c := range controlplane.Conditions(f.d, f.o, epoch()) {
			if strings.ContainsAny(c.Message, "\x1b\u202e") || len(c.Message) > 2048 || strings.Contains(c.Message, "ijklmnop") {
				t.Errorf("%s: %q has %d bytes", c.Type, c.Message, len(c.Message))
			}
		}
	})
}

// TestRolloutsEndEvenly lets rollouts and changes of the number of machines end, and expects even failure domains.
func TestRolloutsEndEvenly(t *testing.T) {
	for seed := range nightly.Or(int64(5_000), 300) {
		r := rand.New(rand.NewSource(seed))
		f := perfect(1 + r.Intn(7))
		f.d.FailureDomains = []string{"a", "b", "c", "d"}[:r.Intn(5)]
		for i := range f.o.Machines {
			f.o.Machines[i].FailureDomain = string("abcde"[r.Intn(5)])
		}
		f.d.Replicas, f.d.MaxSurge = 1+r.Intn(7), r.Intn(2)
		f.outdate()
		steps := f.settle(t)
		counts := map[string]int{}
		for _, m := range f.o.Machines {
			counts[m.FailureDomain]++
		}
		fewest, most := len(f.o.Machines), 0
		for _, domain := range f.d.FailureDomains {
			fewest, most = min(fewest, counts[domain]), max(most, counts[domain])
		}
		if len(f.o.Machines) != f.d.Replicas || len(f.d.FailureDomains) > 0 && most-fewest > 1 {
			t.Errorf("seed %d: after %d steps, %d machines in %v", seed, steps, len(f.o.Machines), counts)
		}
	}
}

// settle carries out operations, and advances machines at once, until nothing is to be done.
func (f *fixture) settle(t *testing.T) int {
	t.Helper()
	next := len(f.o.Machines)
	for step := range 500 {
		o, r := f.plan()
		switch o.Kind {
		case controlplane.KindCreateMachine:
			next++
			f.grow(next, o.FailureDomain)
		case controlplane.KindDeleteMachine:
			f.phase(controlplane.PhaseDue, o.Machine)
		case controlplane.KindMoveLeader:
			f.member(o.Machine).Leader = false
		case controlplane.KindRemoveMember:
			f.leaveEtcd(o.Machine)
		case controlplane.KindReleaseMachine:
			f.o.Machines = slices.DeleteFunc(f.o.Machines, func(m controlplane.Machine) bool { return m.Name == o.Machine })
		case controlplane.KindWait, controlplane.KindGenerateCertificates, controlplane.KindCreateFirstMachine,
			controlplane.KindStartCluster, controlplane.KindPrepareJoin, controlplane.KindUpdateAddons, controlplane.KindFinish:
			if r.Code != controlplane.CodeUpToDate {
				t.Errorf("ends with %s: %s", decision(o, r), r.Message)
			}
			return step
		}
	}
	t.Error("does not end")
	return 0
}

// grow adds a healthy machine of the current template.
func (f *fixture) grow(number int, domain string) {
	name := fmt.Sprintf("m%d", number)
	f.o.Machines = append(f.o.Machines, controlplane.Machine{
		Name: name, Template: f.d.Template, FailureDomain: domain, Phase: controlplane.PhaseRunning, NodeName: name,
		CreatedAt: epoch().Add(time.Duration(number) * time.Minute), Addresses: []string{"10.0.0." + name[1:]},
		Components: healthy,
	})
	f.o.Members.List = append(f.o.Members.List, controlplane.Member{
		ID: uint64(number), Name: name, PeerAddresses: []string{"10.0.0." + name[1:]}, Responds: true,
	})
}
