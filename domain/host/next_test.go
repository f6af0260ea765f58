package host_test

import (
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/host"
)

// now is the time of all decisions.
func now() time.Time { return time.Unix(1_800_000_000, 0).UTC() }

func claim() host.Claim { return host.Claim{ID: "c1", Machine: "m1", Host: "h1"} }

// situation is a machine, its host, and the expected operation.
type situation struct {
	reason   string
	machine  func(*host.Machine)
	observed func(*host.Observed)
	want     host.Operation
	because  host.Reason
}

// waiting returns a machine for which everything is ready and nothing was done.
func waiting() host.Machine {
	return host.Machine{
		Owned: true, ClusterFound: true, Finalizer: true, InfrastructureReady: true, DataReady: true,
	}
}

// check decides for each situation, with the machine and the observation that the functions return.
func check(t *testing.T, machine func() host.Machine, observed func() host.Observed, cases map[string]situation) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m, o := machine(), observed()
			if c.machine != nil {
				c.machine(&m)
			}
			if c.observed != nil {
				c.observed(&o)
			}
			got := host.Next(m, o, host.DefaultTimeouts(), now())
			if got.Operation != c.want || got.Reason != c.because {
				t.Errorf("%s: got %s (%s), want %s (%s)", c.reason, got.Operation, got.Reason, c.want, c.because)
			}
			if (got.Operation == host.OperationWait) != (got.After > 0) {
				t.Errorf("%s: %s with a delay of %s", c.reason, got.Operation, got.After)
			}
		})
	}
}

// TestProvisioningFollowsTheOrderOfTheContract removes one precondition after the other.
func TestProvisioningFollowsTheOrderOfTheContract(t *testing.T) {
	nothing := func() host.Observed { return host.Observed{} }
	check(t, waiting, nothing, map[string]situation{
		"no owner": {
			reason: "the first rule", machine: func(m *host.Machine) { *m = host.Machine{} },
			want: host.OperationNone, because: host.ReasonWaitingForOwner,
		},
		"terminal": {
			reason: "a failure precedes the cluster",
			machine: func(m *host.Machine) {
				m.Failed, m.ClusterFound = host.ReasonBootFailed, false
			},
			want: host.OperationNone, because: host.ReasonBootFailed,
		},
		"no cluster": {
			reason: "no finalizer yet", machine: func(m *host.Machine) { m.ClusterFound, m.Finalizer = false, false },
			want: host.OperationNone, because: host.ReasonWaitingForCluster,
		},
		"paused": {
			reason: "a paused machine gets no finalizer", machine: func(m *host.Machine) { m.Paused, m.Finalizer = true, false },
			want: host.OperationNone, because: host.ReasonPaused,
		},
		"finalizer": {
			reason:  "before anything waits for the cluster",
			machine: func(m *host.Machine) { m.Finalizer, m.InfrastructureReady = false, false },
			want:    host.OperationAddFinalizer, because: host.ReasonAddingFinalizer,
		},
		"infrastructure": {
			reason: "before the data", machine: func(m *host.Machine) { m.InfrastructureReady, m.DataReady = false, false },
			want: host.OperationNone, because: host.ReasonWaitingForInfrastructure,
		},
		"data": {
			reason: "no host is claimed before there is data", machine: func(m *host.Machine) { m.DataReady = false },
			want: host.OperationNone, because: host.ReasonWaitingForData,
		},
		"format": {
			reason: "no host is claimed for data that none accepts", machine: func(m *host.Machine) {
				m.DataFault = host.FaultFormat
			},
			want: host.OperationFail, because: host.FaultFormat.Reason(),
		},
		"select": {reason: "all is ready", want: host.OperationSelectHost, because: host.ReasonSelectingHost},
	})
}

// held returns the observation of a host that the machine of claim() has.
func held() host.Observed { return host.Observed{HostFound: true, HostClaim: claim()} }

func TestClaims(t *testing.T) {
	selected := func() host.Machine {
		m := waiting()
		m.Claim = claim()
		return m
	}
	sent := func(m *host.Machine) { m.SentAt = now().Add(-time.Minute) }
	check(t, selected, held, map[string]situation{
		"not written": {
			reason: "the machine was written first", observed: func(o *host.Observed) { o.HostClaim = host.Claim{} },
			want: host.OperationClaimHost, because: host.ReasonClaimingHost,
		},
		"lost race": {
			reason: "another machine was faster", observed: func(o *host.Observed) { o.HostClaim.ID = "c2" },
			want: host.OperationDropClaim, because: host.ReasonHostTaken,
		},
		"deleted": {
			reason: "the host was deleted in between", observed: func(o *host.Observed) { *o = host.Observed{} },
			want: host.OperationDropClaim, because: host.ReasonHostDeleted,
		},
		"returned": {
			reason: "a crash between the two writes of ReturnHost", observed: func(o *host.Observed) {
				o.HostClaim, o.HostUnavailable = host.Claim{}, host.FaultUnreachable.Reason()
			},
			want: host.OperationDropClaim, because: host.FaultUnreachable.Reason(),
		},
		"maintenance": {
			reason: "a host that becomes unavailable stays with its machine", observed: func(o *host.Observed) {
				o.HostUnavailable = host.ReasonMaintenance
			},
			want: host.OperationObserve, because: host.ReasonObserving,
		},
		"taken after sending": {
			reason: "a machine never changes its host once the data may be there", machine: sent,
			observed: func(o *host.Observed) { o.HostClaim.ID = "c2" },
			want:     host.OperationFail, because: host.ReasonHostTaken,
		},
		"copied": {
			reason: "a copy of a HostMachine has the claim of the original", observed: func(o *host.Observed) {
				o.HostClaim.Machine = "m2"
			},
			want: host.OperationDropClaim, because: host.ReasonHostTaken,
		},
		"copied after sending": {
			reason: "a copy of a HostMachine has the time of sending, too", machine: sent,
			observed: func(o *host.Observed) { o.HostClaim.Machine = "m2" },
			want:     host.OperationFail, because: host.ReasonHostTaken,
		},
		"removed after sending": {
			reason: "the claim is restored if no one else has the host", machine: sent,
			observed: func(o *host.Observed) { o.HostClaim = host.Claim{} },
			want:     host.OperationClaimHost, because: host.ReasonClaimingHost,
		},
	})
}

// TestBoot goes through the phases of a host that the machine has claimed.
func TestBoot(t *testing.T) {
	booting := func() host.Machine {
		m := waiting()
		m.Claim, m.SentAt = claim(), now().Add(-time.Minute)
		return m
	}
	phase := func(p host.Phase) func(*host.Observed) { return func(o *host.Observed) { o.Phase = p } }
	unsent := func(m *host.Machine) { m.SentAt = time.Time{} }
	late := func(m *host.Machine) { m.SentAt = now().Add(-time.Hour) }
	provisioned := func(m *host.Machine) { late(m); m.Provisioned = true }
	check(t, booting, held, map[string]situation{
		"unknown":      {"", nil, phase(host.PhaseUnknown), host.OperationObserve, host.ReasonBooting},
		"not prepared": {"", unsent, phase(host.PhaseReleased), host.OperationPrepare, host.ReasonPreparing},
		"prepared": {
			reason: "sending is recorded first", machine: unsent, observed: phase(host.PhaseClaimed),
			want: host.OperationRecordSending, because: host.ReasonBooting,
		},
		"recorded":  {"", nil, phase(host.PhaseClaimed), host.OperationBoot, host.ReasonBooting},
		"running":   {"", nil, phase(host.PhaseRunning), host.OperationWait, host.ReasonBooting},
		"succeeded": {"", nil, phase(host.PhaseSucceeded), host.OperationProvisioned, host.ReasonProvisioned},
		"late success": {
			reason: "a success after the deadline is a success", machine: late, observed: phase(host.PhaseSucceeded),
			want: host.OperationProvisioned, because: host.ReasonProvisioned,
		},
		"failed":       {"", nil, phase(host.PhaseFailed), host.OperationFail, host.ReasonBootFailed},
		"interrupted":  {"", nil, phase(host.PhaseInterrupted), host.OperationFail, host.ReasonBootInterrupted},
		"never starts": {"", late, phase(host.PhaseClaimed), host.OperationFail, host.ReasonBootDeadlineExceeded},
		"never ends":   {"", late, phase(host.PhaseRunning), host.OperationFail, host.ReasonBootDeadlineExceeded},
		"reinstalled": {
			reason: "the data is not sent twice", observed: phase(host.PhaseReleased),
			want: host.OperationFail, because: host.ReasonRunLost,
		},
		"reset by hand": {"", nil, phase(host.PhaseReleasing), host.OperationFail, host.ReasonRunLost},
		"steady":        {"", provisioned, phase(host.PhaseSucceeded), host.OperationWait, host.ReasonProvisioned},
		"steady, lost": {
			reason: "the node decides", machine: provisioned, observed: phase(host.PhaseReleased),
			want: host.OperationWait, because: host.ReasonRunLost,
		},
		"steady, no run": {
			reason: "a provisioned machine boots nothing", machine: provisioned, observed: phase(host.PhaseClaimed),
			want: host.OperationWait, because: host.ReasonRunLost,
		},
		"steady, no Host": {
			reason:  "a backup may restore the Host later",
			machine: provisioned, observed: func(o *host.Observed) { *o = host.Observed{} },
			want: host.OperationWait, because: host.ReasonHostDeleted,
		},
		"other provider ID": {
			reason: "the machine is provisioned, and the condition has the remedy", machine: provisioned,
			observed: func(o *host.Observed) { o.Phase, o.ProviderIDDiffers = host.PhaseSucceeded, true },
			want:     host.OperationWait, because: host.ReasonProviderIDMismatch,
		},
		"other provider ID, first": {
			reason:   "it does not keep the machine from being provisioned",
			observed: func(o *host.Observed) { o.Phase, o.ProviderIDDiffers = host.PhaseSucceeded, true },
			want:     host.OperationProvisioned, because: host.ReasonProvisioned,
		},
		"steady, waits for nothing": {
			reason: "a provisioned machine needs neither the infrastructure of the cluster nor its data",
			machine: func(m *host.Machine) {
				provisioned(m)
				m.InfrastructureReady, m.DataReady = false, false
			},
			observed: phase(host.PhaseSucceeded), want: host.OperationWait, because: host.ReasonProvisioned,
		},
	})
}

// TestFaultsWhileProvisioning decides for every fault before the data is sent, afterwards, and once provisioned.
func TestFaultsWhileProvisioning(t *testing.T) {
	for _, f := range host.Faults() {
		m, o := waiting(), held()
		m.Claim, o.Fault, o.FaultSince = claim(), f, now().Add(-time.Second)
		before, sent, steady := expected(f)
		expectOperation(t, f, "before sending", m, o, before)
		m.SentAt = now().Add(-time.Minute)
		expectOperation(t, f, "after sending", m, o, sent)
		m.Provisioned = true
		expectOperation(t, f, "provisioned", m, o, steady)
	}
}

func expected(f host.Fault) (before, sent, steady host.Operation) {
	switch f.Scope() {
	case host.ScopeTemporary:
		return host.OperationWait, host.OperationWait, host.OperationWait
	case host.ScopeHost:
		return host.OperationReturnHost, host.OperationFail, host.OperationWait
	case host.ScopeAccess:
		return host.OperationReturnHost, host.OperationWait, host.OperationWait
	case host.ScopeMachine:
		return host.OperationFail, host.OperationFail, host.OperationWait
	}
	return "", "", ""
}

func expectOperation(t *testing.T, f host.Fault, when string, m host.Machine, o host.Observed, want host.Operation) {
	t.Helper()
	got := host.Next(m, o, host.DefaultTimeouts(), now())
	if got.Operation != want || got.Reason != f.Reason() || got.Message == "" {
		t.Errorf("%s, %s: got %+v, want %s with the remedy", f, when, got, want)
	}
}

// TestHostThatNeverAnswers gives the host up before the data is sent, and the machine afterwards.
func TestHostThatNeverAnswers(t *testing.T) {
	m, o := waiting(), held()
	m.Claim, o.Fault, o.FaultSince = claim(), host.FaultUnreachable, now().Add(-time.Hour)
	expectOperation(t, o.Fault, "before sending", m, o, host.OperationReturnHost)
	o.Fault, o.FaultSince = host.FaultBusy, now().Add(-10*time.Minute)
	expectOperation(t, o.Fault, "our own limit", m, o, host.OperationWait)
	o.FaultSince = now().Add(-time.Hour)
	expectOperation(t, o.Fault, "a lock of the host that hangs", m, o, host.OperationReturnHost)
	m.SentAt, o.Fault = now().Add(-time.Hour), host.FaultUnreachable
	got := host.Next(m, o, host.DefaultTimeouts(), now())
	if got.Operation != host.OperationFail || got.Reason != host.ReasonBootDeadlineExceeded {
		t.Errorf("after the deadline: %+v", got)
	}
}

// accessFaults are the faults that end when a user repairs the access: nothing on the host is lost.
func accessFaults() []host.Fault {
	return []host.Fault{host.FaultCredentials, host.FaultAuthentication, host.FaultPrivileges, host.FaultResponse}
}

// TestAccessIsTriedUntilTheDeadline replaces a key Secret by deleting and creating it: neither the machines that boot
// fail nor do the hosts of those that are deleted leave the pool.
func TestAccessIsTriedUntilTheDeadline(t *testing.T) {
	for _, f := range accessFaults() {
		booting, o := waiting(), held()
		booting.Claim, o.Fault, o.FaultSince = claim(), f, now().Add(-10*time.Second)
		booting.SentAt = now().Add(-time.Minute)
		expectOperation(t, f, "while it boots", booting, o, host.OperationWait)
		deleted := booting
		deleted.DeletedAt, deleted.Identified = now().Add(-time.Minute), true
		expectOperation(t, f, "while it is deleted", deleted, o, host.OperationWait)
		if got := host.Next(booting, o, host.DefaultTimeouts(), now()); got.After != 10*time.Second {
			t.Errorf("%s: tried again after %s; want as long as it exists", f, got.After)
		}
		o.FaultSince = now().Add(-24 * time.Hour)
		if got := host.Next(booting, o, host.DefaultTimeouts(), now()); got.After != time.Minute {
			t.Errorf("%s: tried again after %s, want a minute", f, got.After)
		}
		booting.SentAt, deleted.DeletedAt = now().Add(-time.Hour), now().Add(-time.Hour)
		if got := host.Next(booting, o, host.DefaultTimeouts(), now()); got.Operation != host.OperationFail ||
			got.Reason != host.ReasonBootDeadlineExceeded {
			t.Errorf("%s: after bootSeconds: %+v", f, got)
		}
		if got := host.Next(deleted, o, host.DefaultTimeouts(), now()); got.Operation != host.OperationMarkHost ||
			got.Reason != host.ReasonReleaseDeadline {
			t.Errorf("%s: after releaseSeconds: %+v", f, got)
		}
	}
}

// TestWhatOnlyUsersChangeIsNotPolled expects the long delay while nothing runs and no deadline depends on it.
func TestWhatOnlyUsersChangeIsNotPolled(t *testing.T) {
	m, o := waiting(), held()
	m.Claim, o.Fault = host.Claim{ID: "c1", Machine: "m1"}, host.FaultDisabled
	o.HostClaim = m.Claim
	mismatch := held()
	mismatch.Phase, mismatch.ProviderIDDiffers = host.PhaseSucceeded, true
	provisioned := m
	provisioned.Claim, provisioned.Provisioned = claim(), true
	deleted := m
	deleted.DeletedAt = now().Add(time.Second - host.DefaultTimeouts().Release)
	if got := host.Next(deleted, o, host.DefaultTimeouts(), now()); got.After != time.Second {
		t.Errorf("a second before releaseSeconds: %+v", got)
	}
	for reason, got := range map[host.Reason]host.Step{
		host.FaultDisabled.Reason():   host.Next(m, o, host.DefaultTimeouts(), now()),
		host.ReasonProviderIDMismatch: host.Next(provisioned, mismatch, host.DefaultTimeouts(), now()),
	} {
		if got.Reason != reason || got.After != host.DefaultTimeouts().Resync {
			t.Errorf("%s: %+v", reason, got)
		}
	}
}

// TestRemediesForCreatedMachines expects no remedy about a Host, which a created machine does not have.
func TestRemediesForCreatedMachines(t *testing.T) {
	m, o := waiting(), held()
	m.Claim = host.Claim{ID: "c1", Machine: "m1"}
	o.HostClaim = m.Claim
	for _, f := range []host.Fault{
		host.FaultUnreachable, host.FaultBusy, host.FaultDisabled, host.FaultDiskFull, host.FaultUnsupported,
		host.FaultForeignClaim, host.FaultReset, host.FaultImage,
	} {
		o.Fault = f
		got := host.Next(m, o, host.DefaultTimeouts(), now()).Message
		for _, ofHosts := range []string{"spec.address", "sshd", "/var", "shell", "inventory", "install"} {
			if got == "" || strings.Contains(got, ofHosts) {
				t.Errorf("%s: %q", f, got)
			}
		}
	}
}

// TestCreatedMachinesHaveNoOtherHost checks the faults of machines that a driver creates, before data is sent.
func TestCreatedMachinesHaveNoOtherHost(t *testing.T) {
	created := func() host.Machine {
		m := waiting()
		m.Claim = host.Claim{ID: "c1", Machine: "m1"}
		return m
	}
	faulty := func(f host.Fault) func(*host.Observed) {
		return func(o *host.Observed) { o.Fault, o.FaultSince = f, now().Add(-time.Hour) }
	}
	check(t, created, held, map[string]situation{
		"unreachable": {"", nil, faulty(host.FaultUnreachable), host.OperationWait, host.FaultUnreachable.Reason()},
		"disabled":    {"", nil, faulty(host.FaultDisabled), host.OperationWait, host.FaultDisabled.Reason()},
		"response":    {"", nil, faulty(host.FaultResponse), host.OperationFail, host.FaultResponse.Reason()},
		"disk full":   {"", nil, faulty(host.FaultDiskFull), host.OperationFail, host.FaultDiskFull.Reason()},
	})
}
