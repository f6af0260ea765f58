package host_test

import (
	"slices"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/host"
)

// TestDeletionFollowsTheOrderOfTheContract releases the host before the finalizer is removed.
func TestDeletionFollowsTheOrderOfTheContract(t *testing.T) {
	deleted := func() host.Machine {
		// Neither the cluster nor its infrastructure is ready: they must not block a deletion.
		return host.Machine{Finalizer: true, Claim: claim(), DeletedAt: now().Add(-time.Minute)}
	}
	phase := func(p host.Phase) func(*host.Observed) { return func(o *host.Observed) { o.Phase = p } }
	fault := func(f host.Fault) func(*host.Observed) { return func(o *host.Observed) { o.Fault = f } }
	late := func(m *host.Machine) { m.DeletedAt = now().Add(-time.Hour) }
	check(t, deleted, held, map[string]situation{
		"gone": {
			reason: "another finalizer is left", machine: func(m *host.Machine) { m.Finalizer = false },
			want: host.OperationNone, because: host.ReasonReleased,
		},
		"paused": {
			reason: "clusterctl move deletes paused objects", machine: func(m *host.Machine) { m.Paused = true },
			want: host.OperationNone, because: host.ReasonPaused,
		},
		"no claim": {
			reason: "nothing to release", machine: func(m *host.Machine) { m.Claim = host.Claim{} },
			want: host.OperationRemoveFinalizer, because: host.ReasonReleased,
		},
		"sent": {
			reason: "kubelet may have created a Node", machine: func(m *host.Machine) { m.SentAt = now() },
			want: host.OperationIdentify, because: host.ReasonReleasing,
		},
		"sent and paused": {
			reason:  "nothing is written to a paused object",
			machine: func(m *host.Machine) { m.SentAt, m.Paused = now(), true },
			want:    host.OperationNone, because: host.ReasonPaused,
		},
		"sent, host deleted": {
			reason:   "the Node exists without the Host, too",
			machine:  func(m *host.Machine) { m.SentAt = now() },
			observed: func(o *host.Observed) { *o = host.Observed{} },
			want:     host.OperationIdentify, because: host.ReasonReleasing,
		},
		"sent, with provider ID": {
			reason:  "Cluster API finds the Node",
			machine: func(m *host.Machine) { m.SentAt, m.Identified = now(), true },
			want:    host.OperationObserve, because: host.ReasonReleasing,
		},
		"nothing to release, with provider ID": {
			reason: "Cluster API reads the ID first",
			machine: func(m *host.Machine) {
				m.Claim, m.Identified, m.DeletedAt = host.Claim{}, true, now().Add(-time.Second)
				m.WithoutHostSince = now().Add(-time.Hour)
			},
			want: host.OperationWait, because: host.ReasonReleasing,
		},
		"released, with provider ID": {
			reason:  "kubelet may have created a Node until the reset",
			machine: func(m *host.Machine) { m.Claim, m.Identified = host.Claim{}, true },
			want:    host.OperationWait, because: host.ReasonReleasing,
		},
		"released a second ago, with provider ID": {
			reason: "Cluster API searches for the Node",
			machine: func(m *host.Machine) {
				m.Claim, m.Identified, m.WithoutHostSince = host.Claim{}, true, now().Add(-time.Second)
			},
			want: host.OperationWait, because: host.ReasonReleasing,
		},
		"nothing to release, with provider ID, later": {
			reason: "Cluster API has read the ID",
			machine: func(m *host.Machine) {
				m.Claim, m.Identified, m.WithoutHostSince = host.Claim{}, true, now().Add(-10*time.Second)
			},
			want: host.OperationRemoveFinalizer, because: host.ReasonReleased,
		},
		"host deleted": {
			reason: "nothing can be released", observed: func(o *host.Observed) { *o = host.Observed{} },
			want: host.OperationRemoveFinalizer, because: host.ReasonReleased,
		},
		"host returned": {
			reason: "a crash before the finalizer was removed", observed: func(o *host.Observed) { o.HostClaim = host.Claim{} },
			want: host.OperationRemoveFinalizer, because: host.ReasonReleased,
		},
		"host of another": {
			reason: "the host of another machine is not reset", observed: func(o *host.Observed) { o.HostClaim.ID = "c2" },
			want: host.OperationRemoveFinalizer, because: host.ReasonReleased,
		},
		"host of the original": {
			reason:   "the deletion of a copied HostMachine does not reset the host of the original",
			observed: func(o *host.Observed) { o.HostClaim.Machine = "m2" },
			want:     host.OperationRemoveFinalizer, because: host.ReasonReleased,
		},
		"unknown": {"", nil, phase(host.PhaseUnknown), host.OperationObserve, host.ReasonReleasing},
		"claimed": {"", nil, phase(host.PhaseClaimed), host.OperationRelease, host.ReasonReleasing},
		"running": {
			reason: "the release ends the run", observed: phase(host.PhaseRunning),
			want: host.OperationRelease, because: host.ReasonReleasing,
		},
		"succeeded":   {"", nil, phase(host.PhaseSucceeded), host.OperationRelease, host.ReasonReleasing},
		"failed":      {"", nil, phase(host.PhaseFailed), host.OperationRelease, host.ReasonReleasing},
		"interrupted": {"", nil, phase(host.PhaseInterrupted), host.OperationRelease, host.ReasonReleasing},
		"releasing":   {"", nil, phase(host.PhaseReleasing), host.OperationWait, host.ReasonReleasing},
		"released":    {"", nil, phase(host.PhaseReleased), host.OperationReturnHost, host.ReasonReleased},
		"released late": {
			reason: "a clean host returns to the pool, however long it took", machine: late,
			observed: phase(host.PhaseReleased), want: host.OperationReturnHost, because: host.ReasonReleased,
		},
		"never ends": {"", late, phase(host.PhaseReleasing), host.OperationMarkHost, host.ReasonReleaseDeadline},
		"unknown late": {
			reason: "a host may be clean after a long stop of the controller", machine: late,
			observed: phase(host.PhaseUnknown), want: host.OperationObserve, because: host.ReasonReleasing,
		},
		"unreachable": {"", nil, fault(host.FaultUnreachable), host.OperationWait, host.FaultUnreachable.Reason()},
		"unreachable for long": {
			reason: "a dead host does not block the deletion", machine: late, observed: fault(host.FaultUnreachable),
			want: host.OperationMarkHost, because: host.ReasonReleaseDeadline,
		},
		"reset failed": {"", nil, fault(host.FaultReset), host.OperationMarkHost, host.FaultReset.Reason()},
		"not clean":    {"", nil, fault(host.FaultNotClean), host.OperationMarkHost, host.FaultNotClean.Reason()},
		"key changed": {
			reason: "nothing is sent to it", observed: fault(host.FaultHostKeyChanged),
			want: host.OperationMarkHost, because: host.FaultHostKeyChanged.Reason(),
		},
	})
}

// everyMachine calls the function with each combination of the fields that decide.
func everyMachine(visit func(host.Machine, host.Observed)) {
	flags, faults := []bool{false, true}, append([]host.Fault{""}, host.Faults()...)
	times := []time.Time{{}, now().Add(-time.Second), now().Add(-24 * time.Hour)}
	for _, sentAt := range times {
		for _, deletedAt := range times {
			for _, provisioned := range flags {
				for _, hostClaim := range []host.Claim{{}, claim(), {ID: "c2"}} {
					for _, phase := range host.Phases() {
						for _, fault := range faults {
							m, o := waiting(), host.Observed{HostFound: true, HostClaim: hostClaim, Phase: phase, Fault: fault}
							m.Claim, m.SentAt, m.DeletedAt, m.Provisioned = claim(), sentAt, deletedAt, provisioned
							o.FaultSince = now().Add(-24 * time.Hour)
							visit(m, o)
							m.Identified = true
							visit(m, o)
						}
					}
				}
			}
		}
	}
}

// TestProvisionedMachinesNeverFail expects that a machine which was provisioned does not become terminal, boots nothing
// and keeps its host.
func TestProvisionedMachinesNeverFail(t *testing.T) {
	allowed := []host.Operation{host.OperationWait, host.OperationObserve, host.OperationClaimHost}
	everyMachine(func(m host.Machine, o host.Observed) {
		if !m.Provisioned || !m.DeletedAt.IsZero() {
			return
		}
		if got := host.Next(m, o, host.DefaultTimeouts(), now()); !slices.Contains(allowed, got.Operation) {
			t.Errorf("%+v, %+v: %s", m, o, got.Operation)
		}
	})
}

// TestDataIsSentOnce checks the two rules of the package for every situation.
func TestDataIsSentOnce(t *testing.T) {
	everyMachine(func(m host.Machine, o host.Observed) {
		got := host.Next(m, o, host.DefaultTimeouts(), now())
		leaves := got.Operation == host.OperationDropClaim || got.Operation == host.OperationReturnHost ||
			got.Operation == host.OperationMarkHost
		switch {
		case got.Operation == host.OperationBoot && (o.HostClaim.ID != m.Claim.ID || m.SentAt.IsZero() ||
			o.Phase != host.PhaseClaimed || !m.DeletedAt.IsZero()):
			t.Errorf("%+v, %+v: boots", m, o)
		case leaves && !m.SentAt.IsZero() && m.DeletedAt.IsZero():
			t.Errorf("%+v, %+v: leaves its host (%s)", m, o, got.Operation)
		case got.Operation == host.OperationIdentify && (m.SentAt.IsZero() && !m.Provisioned || m.DeletedAt.IsZero()):
			t.Errorf("%+v, %+v: gets its provider ID without a Node", m, o)
		case leaves && !m.SentAt.IsZero() && !m.Identified:
			t.Errorf("%+v, %+v: leaves a Node that Cluster API does not find", m, o)
		case got.Operation == host.OperationRelease && (m.DeletedAt.IsZero() || o.HostClaim.ID != m.Claim.ID):
			t.Errorf("%+v, %+v: resets the host of another machine, or of one that is not deleted", m, o)
		}
	})
}

// TestDeletionsEnd expects that a deletion which is overdue never waits once the host was observed, the machine has its
// provider ID, and its status reports the loss of the host.
func TestDeletionsEnd(t *testing.T) {
	ends := []host.Operation{
		host.OperationRemoveFinalizer, host.OperationReturnHost, host.OperationMarkHost,
	}
	everyMachine(func(m host.Machine, o host.Observed) {
		if m.DeletedAt.IsZero() || now().Sub(m.DeletedAt) < time.Hour || (o.Fault == "" && o.Phase == host.PhaseUnknown) ||
			!m.Identified {
			return
		}
		m.WithoutHostSince = now().Add(-time.Minute)
		if got := host.Next(m, o, host.DefaultTimeouts(), now()); !slices.Contains(ends, got.Operation) {
			t.Errorf("%+v, %+v: %s", m, o, got.Operation)
		}
	})
}

// TestOperationsAreListed expects every operation of every situation in the list that adapters handle.
func TestOperationsAreListed(t *testing.T) {
	everyMachine(func(m host.Machine, o host.Observed) {
		got := host.Next(m, o, host.DefaultTimeouts(), now())
		if !slices.Contains(host.Operations(), got.Operation) || got.Reason == "" {
			t.Errorf("%+v, %+v: %+v", m, o, got)
		}
	})
}

// TestFaultsHaveRemedies expects a scope and a remedy for each fault.
func TestFaultsHaveRemedies(t *testing.T) {
	for _, f := range host.Faults() {
		if f.Remedy() == "" || f.Scope() == 0 || f.Reason() == "" {
			t.Errorf("%s: scope %d, remedy %q", f, f.Scope(), f.Remedy())
		}
	}
	if got := host.Fault("new").Scope(); got != host.ScopeHost {
		t.Errorf("an unknown fault has scope %d", got)
	}
}

func TestConditions(t *testing.T) {
	m, o := waiting(), held()
	m.Claim, m.SentAt, m.Provisioned, o.Phase = claim(), now().Add(-time.Hour), true, host.PhaseSucceeded
	status := func(m host.Machine, o host.Observed) map[string]host.Status {
		found := map[string]host.Status{}
		for _, c := range host.Conditions(m, o, host.Next(m, o, host.DefaultTimeouts(), now())) {
			found[c.Type] = c.Status
		}
		return found
	}
	expect := func(name string, m host.Machine, o host.Observed, ready, claimed, booted, reachable host.Status) {
		got := status(m, o)
		if got[host.ConditionReady] != ready || got[host.ConditionHostClaimed] != claimed ||
			got[host.ConditionBootSucceeded] != booted || got[host.ConditionHostReachable] != reachable {
			t.Errorf("%s: %v", name, got)
		}
	}
	expect("steady", m, o, host.StatusTrue, host.StatusTrue, host.StatusTrue, host.StatusTrue)
	away := o
	away.Fault, away.FaultSince = host.FaultUnreachable, now()
	expect("unreachable", m, away, host.StatusFalse, host.StatusTrue, host.StatusTrue, host.StatusFalse)
	broken := m
	broken.Provisioned, o.Phase = false, host.PhaseFailed
	expect("failed", broken, o, host.StatusFalse, host.StatusTrue, host.StatusFalse, host.StatusTrue)
	expect("waiting", waiting(), host.Observed{}, host.StatusFalse, host.StatusFalse, host.StatusUnknown,
		host.StatusUnknown)
}
