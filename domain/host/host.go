package host

import "time"

// Claim binds a machine and a host. Both objects contain it. Its ID is generated once and survives a move to another
// management cluster, where objects get new UIDs.
type Claim struct {
	// ID is a UUID. It also names the claim and the directory of the run on the host.
	ID string
	// Machine and Host are the names of the objects, which are in one namespace. Host is empty if a driver creates the
	// machine.
	Machine, Host string
}

// IsZero reports whether there is no claim.
func (c Claim) IsZero() bool { return c.ID == "" }

// Same reports whether two objects have the claim of one machine. The ID does not suffice: a user can copy a
// HostMachine together with its claim.
func (c Claim) Same(other Claim) bool { return c.ID == other.ID && c.Machine == other.Machine }

// Host is an entry of the inventory, as far as decisions depend on it.
type Host struct {
	// Name is unique in the namespace.
	Name   string
	Labels map[string]string
	// Architecture is amd64 or arm64. It is empty if it is not known; such a host suits only machines that request no
	// architecture.
	Architecture string
	// Agent reports whether the host has an agent that may apply machine configuration.
	Agent bool
	// FailureDomain is empty if the host is in none.
	FailureDomain string
	// Unavailable is the reason why no machine may claim the host, or an empty string if there is none. A user or a failed
	// release sets it, and a user removes it.
	Unavailable Reason
	// Probe is the last fault of the host while no machine used it, or an empty string if it answered and was clean.
	Probe Fault
	// Probed reports whether the host was probed since its specification or its claim changed.
	Probed bool
	// Deleting reports whether the object is being deleted.
	Deleting bool
	// Claim is the machine that has the host.
	Claim Claim
}

// State is the state of a host in the inventory.
type State string

// The states of a host.
const (
	// StatePending means that the host was not probed since its specification or its claim changed.
	StatePending State = "Pending"
	// StateAvailable means that a machine may claim the host.
	StateAvailable State = "Available"
	// StateClaimed means that a machine has the host.
	StateClaimed State = "Claimed"
	// StateUnavailable means that no machine may claim the host until the cause is removed.
	StateUnavailable State = "Unavailable"
	// StateDeleting means that the object is being deleted.
	StateDeleting State = "Deleting"
)

// States returns all states.
func States() []State {
	return []State{StatePending, StateAvailable, StateClaimed, StateUnavailable, StateDeleting}
}

// State returns the state of the host and its reason. A claim takes precedence, because a host that becomes unavailable
// stays with its machine.
func (h Host) State() (State, Reason) {
	switch {
	case !h.Claim.IsZero():
		return StateClaimed, ReasonClaimed
	case h.Deleting:
		return StateDeleting, ReasonDeleting
	case h.Unavailable != "":
		return StateUnavailable, h.Unavailable
	case !h.Probed:
		return StatePending, ReasonNotProbed
	case h.Probe != "":
		return StateUnavailable, h.Probe.Reason()
	default:
		return StateAvailable, ReasonAvailable
	}
}

// Phase is the state of a claim on the host itself, as a driver observes it.
type Phase string

// The phases of a claim on a host.
const (
	// PhaseUnknown means that the host was not observed since the last change.
	PhaseUnknown Phase = ""
	// PhaseReleased means that the host has no claim and nothing of an earlier machine.
	PhaseReleased Phase = "Released"
	// PhaseClaimed means that the host has the claim, and nothing was started.
	PhaseClaimed Phase = "Claimed"
	// PhaseRunning means that the bootstrap runs, or that an agent resumes it at the next boot.
	PhaseRunning Phase = "Running"
	// PhaseSucceeded means that the bootstrap succeeded.
	PhaseSucceeded Phase = "Succeeded"
	// PhaseFailed means that the bootstrap left a failure record.
	PhaseFailed Phase = "Failed"
	// PhaseInterrupted means that the bootstrap ended without a result, and nothing resumes it.
	PhaseInterrupted Phase = "Interrupted"
	// PhaseReleasing means that the reset runs.
	PhaseReleasing Phase = "Releasing"
)

// Phases returns all phases.
func Phases() []Phase {
	return []Phase{
		PhaseUnknown, PhaseReleased, PhaseClaimed, PhaseRunning, PhaseSucceeded, PhaseFailed, PhaseInterrupted,
		PhaseReleasing,
	}
}

// Timeouts limit how long operations may take before the machine or the host is given up.
type Timeouts struct {
	// Claim is how long a host may be out of reach before its machine selects another host. It applies only before the
	// data is sent.
	Claim time.Duration
	// Boot is the time from sending the data to the result of the bootstrap.
	Boot time.Duration
	// Release is the time from the deletion of the machine to a host without its state.
	Release time.Duration
	// Poll is the delay between two observations while something runs.
	Poll time.Duration
	// Resync is the delay between two observations of a machine whose bootstrap succeeded.
	Resync time.Duration
}

// DefaultTimeouts returns the timeouts for objects that set none.
func DefaultTimeouts() Timeouts {
	return Timeouts{
		Claim: 2 * time.Minute, Boot: 20 * time.Minute, Release: 15 * time.Minute, Poll: 5 * time.Second,
		Resync: 5 * time.Minute,
	}
}
