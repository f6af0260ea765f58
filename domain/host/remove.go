package host

import (
	"fmt"
	"time"
)

// remove returns the next operation of a machine that is being deleted. It neither needs the Cluster nor its
// infrastructure, and ends with the first observation after t.Release at the latest: a host that cannot be reset is
// marked and kept out of the pool, and never blocks the deletion of a machine.
//
// If the data was sent, the machine gets its provider ID first. kubelet may have created a Node, and the kubelet of the
// next machine on the host would use this Node with the provider ID of the deleted machine.
func (m Machine) remove(o Observed, t Timeouts, now time.Time) Step {
	switch {
	case !m.Finalizer:
		return Step{Operation: OperationNone, Reason: ReasonReleased}
	case m.Paused:
		return Step{Operation: OperationNone, Reason: ReasonPaused}
	case m.sent() && !m.Identified:
		return Step{Operation: OperationIdentify, Reason: ReasonReleasing}
	case m.Claim.IsZero() || !o.HostFound || !o.HostClaim.Same(m.Claim):
		if left := m.search(t, now); left > 0 {
			return Step{Operation: OperationWait, Reason: ReasonReleasing, After: left}
		}
		return Step{Operation: OperationRemoveFinalizer, Reason: ReasonReleased}
	case o.Fault == "" && o.Phase == PhaseUnknown:
		return Step{Operation: OperationObserve, Reason: ReasonReleasing}
	case o.Fault != "" && (o.Fault.Scope() == ScopeHost || o.Fault.Scope() == ScopeMachine):
		return Step{Operation: OperationMarkHost, Reason: o.Fault.Reason(), Message: m.faultMessage(o)}
	case o.Fault == "" && o.Phase == PhaseReleased:
		return Step{Operation: OperationReturnHost, Reason: ReasonReleased}
	case now.Sub(m.DeletedAt) >= t.Release:
		return Step{Operation: OperationMarkHost, Reason: ReasonReleaseDeadline, Message: m.overdueRelease(o, t)}
	case o.Fault != "":
		return Step{
			Operation: OperationWait, Reason: o.Fault.Reason(), Message: m.faultMessage(o),
			After: o.retry(t, now, m.DeletedAt.Add(t.Release)),
		}
	case o.Phase == PhaseReleasing:
		return Step{Operation: OperationWait, Reason: ReasonReleasing, After: t.Poll}
	default:
		return Step{Operation: OperationRelease, Reason: ReasonReleasing}
	}
}

// search returns how long the machine without a host still exists, so that Cluster API searches for a Node. A kubelet
// may create one until its host is reset, and Cluster API has the provider ID of a machine that was not provisioned
// only as long as the machine exists. It searches when the machine loses its host, because the object changes then.
// It does not find the Node that the kubelet of a host that was marked unavailable without a reset creates later.
func (m Machine) search(t Timeouts, now time.Time) time.Duration {
	switch {
	case !m.Identified || m.Provisioned:
		return 0
	case m.WithoutHostSince.IsZero():
		return t.Poll
	default:
		return t.Poll - min(now.Sub(m.DeletedAt), now.Sub(m.WithoutHostSince))
	}
}

// overdueRelease explains why a host was not reset in time.
func (m Machine) overdueRelease(o Observed, t Timeouts) string {
	problem := "the reset did not end"
	if o.Fault != "" {
		problem = m.faultMessage(o)
	}
	return fmt.Sprintf("the host was not reset within %s: %s; reset it or install it again, then remove "+
		"spec.unavailable", t.Release, problem)
}
