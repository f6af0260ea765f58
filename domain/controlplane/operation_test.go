package controlplane_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/machineadm/machineadm/domain/controlplane"
)

// TestRetriesAreCounted follows a machine that never becomes healthy: its replacement carries the count.
func TestRetriesAreCounted(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*fixture)
		want   *controlplane.Retry
	}{
		"first": {
			"no retry", func(*fixture) {}, &controlplane.Retry{Machine: "m2", At: epoch()},
		},
		"retry": {
			"it replaced another one a minute ago",
			func(f *fixture) { f.m("m2").Replaces = &controlplane.Retry{At: epoch().Add(-time.Minute), Count: 1} },
			&controlplane.Retry{Machine: "m2", At: epoch(), Count: 2},
		},
		"after minHealthyPeriod": {
			"it was healthy for longer than minHealthyPeriod", func(f *fixture) {
				f.d.Remediation.MinHealthyPeriod = time.Minute
				f.m("m2").Replaces = &controlplane.Retry{At: epoch().Add(-time.Minute), Count: 1}
			}, &controlplane.Retry{Machine: "m2", At: epoch()},
		},
		"two at once": {
			"the record of an earlier one would be lost, and its retries with it", func(f *fixture) {
				f.o.Remediated = &controlplane.Retry{Machine: "m9", At: epoch().Add(-time.Minute), Count: 3}
			}, &controlplane.Retry{Machine: "m2", At: epoch(), Count: 3},
		},
		"two, long apart": {
			"the record of an earlier one is old", func(f *fixture) {
				f.o.Remediated = &controlplane.Retry{Machine: "m9", At: epoch().Add(-2 * time.Hour), Count: 3}
			}, &controlplane.Retry{Machine: "m2", At: epoch()},
		},
		"no replacement": {
			"there is a machine too many", func(f *fixture) { f.d.Replicas = 2 }, nil,
		},
	}
	for name, tc := range cases {
		f := three()
		f.die("m2")
		f.mark("m2")
		tc.change(f)
		o, r := f.plan()
		if o.Machine != "m2" || !o.Remediates || !cmp.Equal(o.Replaces, tc.want) {
			t.Errorf("%s (%s): got %s, remediates %t, replaces %+v, want %+v", name, tc.reason, decision(o, r), o.Remediates,
				o.Replaces, tc.want)
		}
	}
}

// TestReplacementCarriesTheRecord expects the recorded remediation on the next machine.
func TestReplacementCarriesTheRecord(t *testing.T) {
	record := &controlplane.Retry{Machine: "m3", At: epoch(), Count: 2}
	for name, change := range map[string]func(*fixture){
		"join":  func(f *fixture) { f.d.Replicas = 4 },
		"first": func(f *fixture) { *f = *unstarted() },
		"Talos": func(f *fixture) { *f = *unstarted(); f.d.Type = "Talos"; f.create() },
	} {
		f := three()
		change(f)
		f.o.Remediated = record
		if o, r := f.plan(); !cmp.Equal(o.Replaces, record) {
			t.Errorf("%s: %s replaces %+v", name, decision(o, r), o.Replaces)
		}
	}
}

// TestRolloutsCountRetries follows a rollout whose new machines fail: they are more than the desired number, and
// retries nevertheless.
func TestRolloutsCountRetries(t *testing.T) {
	f := three()
	f.outdate()
	f.provision().Failure = "no disk"
	f.m("m4").Replaces = &controlplane.Retry{Machine: "m9", At: epoch().Add(-2 * time.Minute), Count: 1}
	o, r := f.plan()
	if o.Machine != "m4" || o.Replaces == nil || o.Replaces.Count != 2 {
		t.Errorf("%s records %+v, want the second retry", decision(o, r), o.Replaces)
	}
	f.o.Machines, f.o.Remediated = f.o.Machines[:3], o.Replaces
	if o, r := f.plan(); o.Kind != controlplane.KindCreateMachine || !cmp.Equal(o.Replaces, f.o.Remediated) {
		t.Errorf("%s replaces %+v, want the second retry", decision(o, r), o.Replaces)
	}
}

// TestSuccessor expects a member that stays as the next leader.
func TestSuccessor(t *testing.T) {
	f := five()
	f.phase(controlplane.PhaseDue, "m1")
	f.outdate("m5")
	f.mark("m4")
	f.die("m3")
	o, r := f.plan()
	if o.Kind != controlplane.KindMoveLeader || o.Member != 1 || o.Successor != 2 {
		t.Errorf("%s: successor %d, want 2: m3 is dead, m4 is marked and m5 is outdated", decision(o, r), o.Successor)
	}
	f.o.Members.List[0].Leader = false
	if o, r = f.plan(); o.Kind != controlplane.KindRemoveMember {
		t.Errorf("after the attempt to move the leader: %s", decision(o, r))
	}
}

// TestDelays expects a decision at the time at which it may change, although no object changes.
func TestDelays(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*fixture)
		want   time.Duration
	}{
		"steady":  {"only a change requires a decision", func(*fixture) {}, 0},
		"rollout": {"spec.rollout.after", func(f *fixture) { f.d.RolloutAfter = epoch().Add(time.Hour) }, time.Hour},
		"past":    {"it replaced the machines", func(f *fixture) { f.d.RolloutAfter = epoch().Add(-48 * time.Hour) }, 0},
		"expiry": {
			"the first certificate", func(f *fixture) {
				f.d.RolloutAfter, f.d.RolloutBeforeExpiry = epoch().Add(time.Hour), time.Hour
				f.m("m1").CertificatesExpireAt = epoch().Add(2 * time.Hour)
				f.m("m2").CertificatesExpireAt = epoch().Add(90 * time.Minute)
			}, 30 * time.Minute,
		},
		"retry": {
			"the retry period", func(f *fixture) {
				f.d.Remediation.RetryPeriod = new(time.Minute)
				f.die("m2")
				f.mark("m2")
				f.m("m2").Replaces = &controlplane.Retry{At: epoch().Add(-20 * time.Second)}
			}, 40 * time.Second,
		},
		"members": {
			"no event reports that a member responds again", func(f *fixture) { f.o.Members.Known = false }, 10 * time.Second,
		},
	}
	for name, tc := range cases {
		f := three()
		tc.change(f)
		if o, r := f.plan(); o.Kind != controlplane.KindWait || o.After != tc.want {
			t.Errorf("%s (%s): %s after %s, want Wait after %s", name, tc.reason, decision(o, r), o.After, tc.want)
		}
	}
}
