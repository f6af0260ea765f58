package host

// The types of conditions. Ready is the summary that Cluster API copies to the Machine.
const (
	ConditionReady         = "Ready"
	ConditionHostClaimed   = "HostClaimed"
	ConditionBootSucceeded = "BootstrapSucceeded"
	ConditionHostReachable = "HostReachable"
	ConditionPaused        = "Paused"
)

// Status is the status of a condition.
type Status string

// The statuses.
const (
	StatusTrue    Status = "True"
	StatusFalse   Status = "False"
	StatusUnknown Status = "Unknown"
)

// Condition is a condition of a machine.
type Condition struct {
	Type    string
	Status  Status
	Reason  Reason
	Message string
}

// Conditions returns the conditions of a machine after a decision, in a fixed order, without Paused.
func Conditions(m Machine, o Observed, s Step) []Condition {
	return []Condition{ready(m, s), claimed(m, o, s), booted(m, o, s), reachable(m, o)}
}

// ready summarises the machine. It is true only while nothing is wrong with a provisioned machine.
func ready(m Machine, s Step) Condition {
	c := Condition{Type: ConditionReady, Status: StatusFalse, Reason: s.Reason, Message: s.Message}
	if m.DeletedAt.IsZero() && s.Reason == ReasonProvisioned {
		c.Status = StatusTrue
	}
	return c
}

func claimed(m Machine, o Observed, s Step) Condition {
	c := Condition{Type: ConditionHostClaimed, Status: StatusFalse, Reason: s.Reason, Message: s.Message}
	if m.Claim.IsZero() || !o.HostFound || !o.HostClaim.Same(m.Claim) {
		return c
	}
	c.Status, c.Reason, c.Message = StatusTrue, ReasonClaimed, ""
	if !m.created() {
		c.Message = "Host " + m.Claim.Host
	}
	return c
}

func booted(m Machine, o Observed, s Step) Condition {
	c := Condition{Type: ConditionBootSucceeded, Status: StatusUnknown, Reason: s.Reason, Message: s.Message}
	switch {
	case m.Provisioned || (o.Fault == "" && o.Phase == PhaseSucceeded):
		c.Status, c.Reason, c.Message = StatusTrue, ReasonProvisioned, ""
	case s.Operation == OperationFail || m.Failed != "":
		c.Status = StatusFalse
	}
	return c
}

func reachable(m Machine, o Observed) Condition {
	c := Condition{Type: ConditionHostReachable, Status: StatusUnknown, Reason: ReasonObserving}
	switch {
	case m.Claim.IsZero():
		c.Reason = ReasonSelectingHost
	case o.Fault != "":
		c.Status, c.Reason, c.Message = StatusFalse, o.Fault.Reason(), m.faultMessage(o)
	case o.Phase != PhaseUnknown:
		c.Status, c.Reason = StatusTrue, ReasonAvailable
	}
	return c
}
