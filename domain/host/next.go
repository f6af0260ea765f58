package host

import (
	"cmp"
	"fmt"
	"time"
)

// Operation is the next thing to do for a machine.
type Operation string

// The operations. Each is idempotent, and each leads to a state from which Next continues after a crash.
const (
	// OperationNone means that nothing is to be done before an object changes.
	OperationNone Operation = "None"
	// OperationWait means that nothing is to be done before Step.After has passed.
	OperationWait Operation = "Wait"
	// OperationAddFinalizer adds the finalizer, and OperationRemoveFinalizer removes it.
	OperationAddFinalizer    Operation = "AddFinalizer"
	OperationRemoveFinalizer Operation = "RemoveFinalizer"
	// OperationSelectHost selects a host and writes the claim with a new ID to the machine.
	OperationSelectHost Operation = "SelectHost"
	// OperationClaimHost writes the claim of the machine to the host object, if no other claim is there.
	OperationClaimHost Operation = "ClaimHost"
	// OperationDropClaim removes the claim from the machine. The host object is not changed.
	OperationDropClaim Operation = "DropClaim"
	// OperationReturnHost removes the claim from the host object, and then from the machine. No machine selects the host
	// until a probe succeeds.
	OperationReturnHost Operation = "ReturnHost"
	// OperationMarkHost makes the host unavailable with the reason of the step until a user returns it to the pool, and
	// then does the same.
	OperationMarkHost Operation = "MarkHost"
	// OperationObserve asks the driver for the phase of the claim on the host.
	OperationObserve Operation = "Observe"
	// OperationPrepare makes the driver write the claim to the host.
	OperationPrepare Operation = "Prepare"
	// OperationRecordSending writes the time of sending to the machine, before anything is sent.
	OperationRecordSending Operation = "RecordSending"
	// OperationBoot makes the driver send the data and start the bootstrap.
	OperationBoot Operation = "Boot"
	// OperationProvisioned writes provider ID, addresses and failure domain, and reports the machine as provisioned.
	OperationProvisioned Operation = "Provisioned"
	// OperationIdentify writes the provider ID of a machine that is deleted before it was provisioned: Cluster API finds a
	// Node by the provider ID only, and deletes the Node after the machine.
	OperationIdentify Operation = "Identify"
	// OperationFail reports a terminal failure. The machine keeps its host until it is deleted.
	OperationFail Operation = "Fail"
	// OperationRelease makes the driver reset the host.
	OperationRelease Operation = "Release"
)

// Operations returns all operations.
func Operations() []Operation {
	return []Operation{
		OperationNone, OperationWait, OperationAddFinalizer, OperationRemoveFinalizer, OperationSelectHost,
		OperationClaimHost, OperationDropClaim, OperationReturnHost, OperationMarkHost, OperationObserve,
		OperationPrepare, OperationRecordSending, OperationBoot, OperationProvisioned, OperationIdentify, OperationFail,
		OperationRelease,
	}
}

// Machine is the desired state of a machine, as far as decisions depend on it.
type Machine struct {
	// Owned reports whether a Machine of Cluster API owns the machine, and ClusterFound whether its Cluster exists.
	Owned, ClusterFound bool
	// Paused reports whether the Cluster or the machine is paused.
	Paused bool
	// Finalizer reports whether the machine has the finalizer.
	Finalizer bool
	// InfrastructureReady reports whether the infrastructure of the Cluster is provisioned, and DataReady whether the
	// name of the data Secret is known.
	InfrastructureReady, DataReady bool
	// DataFault is FaultFormat or FaultData if the data cannot be booted on any host; empty otherwise.
	DataFault Fault
	// Failed is the reason of the terminal failure, or an empty string if there is none.
	Failed Reason
	// Provisioned reports whether the machine was reported as provisioned. It stays true.
	Provisioned bool
	// Identified reports whether the machine has its provider ID.
	Identified bool
	// Claim is the claim of the machine.
	Claim Claim
	// SentAt is the time at which sending the data began, or the zero time if it did not.
	SentAt time.Time
	// DeletedAt is the time of the deletion, or the zero time if the machine is not being deleted.
	DeletedAt time.Time
	// WithoutHostSince is since when the status reports that the machine has no host, or the zero time if it does not.
	WithoutHostSince time.Time
}

// Observed is what is known about the host of a machine. For a machine that a driver creates, HostFound is true and
// HostClaim is the claim of the machine.
type Observed struct {
	// HostFound reports whether the host object exists.
	HostFound bool
	// HostClaim is the claim of the host object.
	HostClaim Claim
	// HostUnavailable is the reason why the host is unavailable, or an empty string if it is not.
	HostUnavailable Reason
	// Phase is the phase of the claim on the host.
	Phase Phase
	// Failure describes a failed bootstrap on one line. It contains no secret.
	Failure string
	// ProviderIDDiffers reports whether kubelet runs with another provider ID than that of the machine. Cluster API then
	// never finds the Node.
	ProviderIDDiffers bool
	// Fault replaces Phase if the last call of the driver failed; FaultSince is the time of its first occurrence.
	Fault      Fault
	FaultSince time.Time
	// FaultDetail describes the fault without secrets; it may be empty.
	FaultDetail string
}

// maxRetry is the longest delay between two attempts to get access to a host.
const maxRetry = time.Minute

// retry returns the delay of the next attempt after a fault, which does not exceed the deadline. Attempts to get access
// are delayed for as long as the fault exists, because hosts may ban clients that they refuse. A driver is enabled by a
// restart, which decides at once.
func (o Observed) retry(t Timeouts, now, deadline time.Time) time.Duration {
	delay := t.Poll
	switch {
	case o.Fault == FaultDisabled:
		delay = t.Resync
	case o.Fault.Scope() == ScopeAccess:
		delay = max(t.Poll, min(now.Sub(o.FaultSince), maxRetry))
	}
	if left := deadline.Sub(now); left > 0 {
		return min(delay, left)
	}
	return delay
}

// Step is the next operation and its reason.
type Step struct {
	Operation Operation
	Reason    Reason
	// Message explains the reason to users. It may be empty.
	Message string
	// After is the delay of the next decision, if no object changes before, or 0 if none is needed.
	After time.Duration
}

// Next returns the next operation for a machine. Its order is that of the machine infrastructure contract: owner,
// terminal failure, cluster, finalizer, infrastructure of the cluster, bootstrap data, host.
func Next(m Machine, o Observed, t Timeouts, now time.Time) Step {
	switch {
	case !m.DeletedAt.IsZero():
		return m.remove(o, t, now)
	case !m.Owned:
		return Step{Operation: OperationNone, Reason: ReasonWaitingForOwner}
	case m.Failed != "":
		return Step{Operation: OperationNone, Reason: m.Failed}
	case !m.ClusterFound:
		return Step{Operation: OperationNone, Reason: ReasonWaitingForCluster}
	case m.Paused:
		return Step{Operation: OperationNone, Reason: ReasonPaused}
	case !m.Finalizer:
		return Step{Operation: OperationAddFinalizer, Reason: ReasonAddingFinalizer}
	case !m.InfrastructureReady && !m.Provisioned:
		return Step{Operation: OperationNone, Reason: ReasonWaitingForInfrastructure}
	case !m.DataReady && !m.Provisioned:
		return Step{Operation: OperationNone, Reason: ReasonWaitingForData}
	case m.DataFault != "" && !m.sent():
		return failed(m.DataFault.Reason(), m.DataFault.Remedy())
	default:
		return m.provision(o, t, now)
	}
}

// provision returns the next operation of a machine whose data is known.
func (m Machine) provision(o Observed, t Timeouts, now time.Time) Step {
	switch {
	case m.Claim.IsZero():
		return Step{Operation: OperationSelectHost, Reason: ReasonSelectingHost}
	case !o.HostFound:
		return m.lost(ReasonHostDeleted, "the Host "+m.Claim.Host+" does not exist", t)
	case o.HostClaim.IsZero() && o.HostUnavailable != "" && !m.sent():
		return Step{Operation: OperationDropClaim, Reason: o.HostUnavailable}
	case o.HostClaim.IsZero():
		return Step{Operation: OperationClaimHost, Reason: ReasonClaimingHost}
	case !o.HostClaim.Same(m.Claim):
		return m.lost(ReasonHostTaken, "the Host "+m.Claim.Host+" has the claim of "+o.HostClaim.Machine, t)
	case o.Fault != "":
		return m.faulty(o, t, now)
	default:
		return m.proceed(o, t, now)
	}
}

// proceed returns the next operation of a machine that has its host.
func (m Machine) proceed(o Observed, t Timeouts, now time.Time) Step {
	switch o.Phase {
	case PhaseUnknown:
		return Step{Operation: OperationObserve, Reason: m.progress()}
	case PhaseReleased:
		if m.sent() {
			return m.broken(ReasonRunLost, "the host has neither the claim nor the run; was it installed again?", t)
		}
		return Step{Operation: OperationPrepare, Reason: ReasonPreparing}
	case PhaseClaimed:
		return m.start(t, now)
	case PhaseRunning:
		if m.overdue(t, now) {
			return m.broken(ReasonBootDeadlineExceeded, "the bootstrap did not end within "+t.Boot.String(), t)
		}
		return Step{Operation: OperationWait, Reason: ReasonBooting, After: t.Poll}
	case PhaseSucceeded:
		return m.succeeded(o, t)
	case PhaseFailed:
		return m.broken(ReasonBootFailed, o.Failure, t)
	case PhaseInterrupted:
		return m.broken(ReasonBootInterrupted, "the bootstrap ended without a result, and nothing resumes it", t)
	case PhaseReleasing:
		return m.broken(ReasonRunLost, "the host is being reset", t)
	}
	return Step{Operation: OperationObserve, Reason: m.progress()}
}

// start returns the operation of a machine whose claim is on the host, where nothing was started.
func (m Machine) start(t Timeouts, now time.Time) Step {
	switch {
	case m.Provisioned:
		return m.broken(ReasonRunLost, "the host has no run; was it installed again?", t)
	case !m.sent():
		return Step{Operation: OperationRecordSending, Reason: ReasonBooting}
	case m.overdue(t, now):
		return failed(ReasonBootDeadlineExceeded, "the bootstrap did not start within "+t.Boot.String())
	default:
		return Step{Operation: OperationBoot, Reason: ReasonBooting}
	}
}

// succeeded returns the operation of a machine whose bootstrap succeeded. Another provider ID is reported only: the
// user can still correct it on the machine, and Cluster API waits for the Node.
func (m Machine) succeeded(o Observed, t Timeouts) Step {
	switch {
	case !m.Provisioned:
		return Step{Operation: OperationProvisioned, Reason: ReasonProvisioned}
	case o.ProviderIDDiffers:
		return Step{
			Operation: OperationWait, Reason: ReasonProviderIDMismatch, After: t.Resync,
			Message: "kubelet runs with another provider ID; start it with --provider-id of spec.providerID",
		}
	default:
		return Step{Operation: OperationWait, Reason: ReasonProvisioned, After: t.Resync}
	}
}

// created reports whether a driver creates the machine: no other host can serve it.
func (m Machine) created() bool { return !m.Claim.IsZero() && m.Claim.Host == "" }

// sent reports whether the data may be on the host.
func (m Machine) sent() bool { return m.Provisioned || !m.SentAt.IsZero() }

// overdue reports whether the bootstrap has taken too long. It never applies to a machine that was provisioned.
func (m Machine) overdue(t Timeouts, now time.Time) bool {
	return !m.Provisioned && m.sent() && now.Sub(m.SentAt) >= t.Boot
}

// progress returns the reason of a machine that is observed.
func (m Machine) progress() Reason {
	switch {
	case m.Provisioned:
		return ReasonProvisioned
	case m.sent():
		return ReasonBooting
	default:
		return ReasonObserving
	}
}

// faultMessage returns the detail of the fault and what a user can do.
func (m Machine) faultMessage(o Observed) string {
	rule := faultRules()[o.Fault]
	remedy := rule.remedy
	if m.created() {
		remedy = cmp.Or(rule.created, remedy)
	}
	if o.FaultDetail == "" {
		return remedy
	}
	return o.FaultDetail + "; " + remedy
}

// lost returns the operation for a machine whose host object is gone or belongs to another machine.
func (m Machine) lost(r Reason, message string, t Timeouts) Step {
	if m.sent() {
		return m.broken(r, message, t)
	}
	return Step{Operation: OperationDropClaim, Reason: r, Message: message}
}

// broken returns the operation for a machine whose run cannot succeed any more. A machine that was provisioned does not
// become terminal: its node decides, and health checks look at the node.
func (m Machine) broken(r Reason, message string, t Timeouts) Step {
	if m.Provisioned {
		return Step{Operation: OperationWait, Reason: r, Message: message, After: t.Resync}
	}
	return failed(r, message)
}

// faulty returns the operation after a call of the driver that failed.
func (m Machine) faulty(o Observed, t Timeouts, now time.Time) Step {
	reason, message, scope := o.Fault.Reason(), m.faultMessage(o), o.Fault.Scope()
	repair := scope == ScopeHost || scope == ScopeAccess
	switch {
	case m.Provisioned:
		return Step{Operation: OperationWait, Reason: reason, Message: message, After: t.Resync}
	case scope == ScopeMachine, scope == ScopeHost && m.sent(), repair && !m.sent() && m.created():
		return failed(reason, message)
	case repair && !m.sent():
		return Step{Operation: OperationReturnHost, Reason: reason, Message: message}
	case m.overdue(t, now):
		return failed(ReasonBootDeadlineExceeded, fmt.Sprintf("no result within %s: %s", t.Boot, message))
	case !m.sent() && !m.created() && now.Sub(o.FaultSince) >= o.Fault.patience(t):
		return Step{Operation: OperationReturnHost, Reason: reason, Message: message}
	default:
		return Step{Operation: OperationWait, Reason: reason, Message: message, After: o.retry(t, now, m.SentAt.Add(t.Boot))}
	}
}

// failed returns the step of a terminal failure.
func failed(r Reason, message string) Step {
	return Step{Operation: OperationFail, Reason: r, Message: message}
}
