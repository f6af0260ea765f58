package host

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Request describes the host that a machine needs.
type Request struct {
	// Machine is the name of the machine. Machines with different names prefer different hosts.
	Machine  string
	Selector Selector
	// Architecture is amd64 or arm64; empty accepts every architecture.
	Architecture string
	// Agent requires an agent that may apply machine configuration.
	Agent bool
	// FailureDomain is the failure domain of the machine; empty accepts every one.
	FailureDomain string
}

// Selection is the result of a selection.
type Selection struct {
	// Host is the name of the selected host, or an empty string if there is none.
	Host string
	// Reason is HostSelected, NoMatchingHost or NoAvailableHost.
	Reason Reason
	// Message explains why there is no host, with the number of hosts that each condition excludes.
	Message string
}

// Step returns the step after a selection: with a host, to write the claim; without one, to wait. A host that becomes
// available also ends the wait.
func (s Selection) Step(t Timeouts) Step {
	if s.Host != "" {
		return Step{Operation: OperationSelectHost, Reason: s.Reason, Message: "Host " + s.Host}
	}
	return Step{Operation: OperationWait, Reason: s.Reason, Message: s.Message, After: t.Resync}
}

// Select returns the host for a machine. The result does not depend on the order of the hosts. Each machine prefers the
// hosts in an order of its own, so that machines that are created together rarely select the same host. A host that is
// added or removed does not change the order of the others.
func Select(r Request, hosts []Host) Selection {
	var matching, available []Host
	excluded := map[string]int{}
	for _, h := range hosts {
		if why := r.mismatch(h); why != "" {
			excluded[why]++
			continue
		}
		matching = append(matching, h)
		state, reason := h.State()
		if state == StateAvailable {
			available = append(available, h)
			continue
		}
		excluded[unavailable(state, reason)]++
	}
	switch {
	case len(matching) == 0:
		return Selection{Reason: ReasonNoMatchingHost, Message: r.explain("no host matches", len(hosts), excluded)}
	case len(available) == 0:
		return Selection{Reason: ReasonNoAvailableHost, Message: r.explain("no host is available", len(hosts), excluded)}
	}
	first := slices.MinFunc(available, func(a, b Host) int {
		return cmp.Or(cmp.Compare(r.rank(a.Name), r.rank(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return Selection{Host: first.Name, Reason: ReasonHostSelected}
}

// otherLabels is the condition of hosts that the selector does not match.
const otherLabels = "without the labels of spec.hostSelector"

// mismatch returns the condition that excludes the host, or an empty string if there is none.
func (r Request) mismatch(h Host) string {
	switch {
	case !r.Selector.Matches(h.Labels):
		return otherLabels
	case r.Architecture != "" && h.Architecture != r.Architecture:
		return "of another architecture"
	case r.FailureDomain != "" && h.FailureDomain != r.FailureDomain:
		return "in another failure domain"
	case r.Agent && !h.Agent:
		return "without an agent of --host-agent-sha256"
	default:
		return ""
	}
}

// unavailable returns the state of a host, and the reason if it adds something.
func unavailable(s State, r Reason) string {
	if string(s) == string(r) {
		return string(s)
	}
	return fmt.Sprintf("%s (%s)", s, r)
}

// rank orders the hosts for the machine. A hash of both names is the rule of rendezvous hashing. Names contain no
// slash.
func (r Request) rank(host string) uint64 {
	sum := sha256.Sum256([]byte(r.Machine + "/" + host))
	return binary.BigEndian.Uint64(sum[:])
}

// explain returns a message with the numbers in a fixed order.
func (r Request) explain(problem string, hosts int, excluded map[string]int) string {
	if hosts == 0 {
		return problem + ": the namespace has no Host; create one"
	}
	parts := make([]string, 0, len(excluded))
	for why, number := range excluded {
		if why == otherLabels {
			why += fmt.Sprintf(" (%s)", r.Selector)
		}
		parts = append(parts, fmt.Sprintf("%d %s", number, why))
	}
	slices.Sort(parts)
	return fmt.Sprintf("%s: of %d in the namespace, %s", problem, hosts, strings.Join(parts, ", "))
}
