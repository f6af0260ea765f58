package controlplane

import (
	"fmt"
	"slices"
	"time"

	"github.com/machineadm/machineadm/domain/node"
)

// planner decides about one observation.
type planner struct {
	d   Desired
	o   Observed
	now time.Time
	// machines are all machines, the oldest first. staying are those that are not being deleted, and leaving those whose
	// hook holds their deletion. Machines that terminate are in neither.
	machines, staying, leaving []Machine
	matching
	// votes are the votes of all members.
	votes Quorum
	// superseding contains the names of machines that are replaced although they are not outdated: a health check marked
	// them, and they can leave only after another machine has joined.
	superseding map[string]bool
	// blocked means that a machine that is being deleted can leave only after another one has joined.
	blocked bool
	// notes are the reasons why rules did not apply, in the order of the rules.
	notes []note
}

// note is a reason why a rule did not apply to a machine.
type note struct {
	machine string
	reason  Reason
	after   time.Duration
}

// step is an operation and its reason.
type step struct {
	Operation
	Reason
}

func newPlanner(d Desired, o Observed, now time.Time) *planner {
	p := &planner{d: d, o: o, now: now, superseding: map[string]bool{}}
	p.machines = slices.SortedFunc(slices.Values(o.Machines), older)
	for _, m := range p.machines {
		switch m.Phase {
		case PhaseCreating, PhaseProvisioned, PhaseRunning:
			p.staying = append(p.staying, m)
		case PhaseDeleting, PhaseDue:
			p.leaving = append(p.leaving, m)
		case PhaseTerminating:
		}
	}
	if o.Members.Known && !d.ExternalEtcd {
		p.matching = match(o)
		p.votes = CountVotes(o.Members.List)
	}
	return p
}

// stacked reports whether the machines run etcd members.
func (p *planner) stacked() bool { return !p.d.ExternalEtcd }

// parallel reports whether machines may be created before the others have joined. Talos adds its machines to etcd one
// after the other itself; kubeadm fails if another member is a learner.
func (p *planner) parallel() bool { return p.d.Type == node.ControlPlaneTalos }

// outdated reports whether the machine differs from the desired control plane.
func (p *planner) outdated(m Machine) bool { return outdated(p.d, m, p.now) }

// replaces reports whether a rollout replaces the machine.
func (p *planner) replaces(m Machine) bool { return p.superseding[m.Name] || p.outdated(m) }

// voter returns the voting member of the machine.
func (p *planner) voter(m Machine) (Member, bool) {
	member, found := p.byMachine[m.Name]
	return member, found && !member.Learner
}

// responds reports whether the machine has a voting member that responds.
func (p *planner) responds(m Machine) bool {
	member, found := p.voter(m)
	return found && member.votes()
}

// WasNode reports whether the machine was a node of the initialized cluster. Its status may be lost, for example
// because the objects were moved; its member and the expiry of its certificates are recorded only then, and stay.
func (m Machine) WasNode() bool { return m.MemberID != 0 || !m.CertificatesExpireAt.IsZero() }

// boots reports whether the machine is not a node yet.
func (m Machine) boots() bool { return m.Phase == PhaseCreating || m.Phase == PhaseProvisioned }

// joined reports whether the machine is a node of an initialized cluster and, with stacked etcd, a voting member.
func (p *planner) joined(m Machine) bool {
	if m.boots() || !p.o.Initialized {
		return false
	}
	_, found := p.voter(m)
	return found || p.d.ExternalEtcd
}

// serves reports whether the machine has a healthy API server. One without its member of etcd cannot serve.
func (p *planner) serves(m Machine) bool {
	return m.Phase != PhaseTerminating && m.Components[ComponentAPIServer] == HealthHealthy &&
		(p.d.ExternalEtcd || p.responds(m))
}

// servedWithout reports whether an API server remains without the machine, or whether the machine is known to have
// none.
func (p *planner) servedWithout(m Machine) bool {
	others := func(other Machine) bool { return other.Name != m.Name && p.serves(other) }
	nothing := !p.responds(m) || m.Components[ComponentAPIServer] == HealthUnhealthy
	return slices.ContainsFunc(p.machines, others) || p.stacked() && nothing
}

// surge returns the number of machines above the desired ones that a rollout may create. Fewer than three machines
// cannot spare one: the first is the last member, and the second its only copy.
func (p *planner) surge() int {
	if p.d.Replicas < 3 {
		return 1
	}
	return min(max(p.d.MaxSurge, 0), 1)
}

// note records why a rule does not apply to a machine.
func (p *planner) note(machine string, after time.Duration, code Code, format string, args ...any) {
	p.notes = append(p.notes, note{machine, because(code, format, args...), after})
}

// wait returns the operation Wait. The message contains also the first note, because it may be the cause.
func (p *planner) wait(after time.Duration, code Code, format string, args ...any) *step {
	return p.waiting(after, p.withNote(because(code, format, args...)))
}

// withNote returns the reason with the first note in its message, unless that is the same.
func (p *planner) withNote(r Reason) Reason {
	if len(p.notes) > 0 && p.notes[0].reason.Message != r.Message {
		r.Message = bounded(r.Message + ". Besides, " + p.notes[0].reason.Message)
	}
	return r
}

// waiting returns the operation Wait. It ends no later than the next note, and than the time makes a machine outdated.
func (p *planner) waiting(after time.Duration, reason Reason) *step {
	for _, delay := range append(p.delays(), nextRollout(p.d, p.staying, p.now)) {
		if delay > 0 && (after == 0 || delay < after) {
			after = delay
		}
	}
	return &step{Operation{Kind: KindWait, After: after}, reason}
}

func (p *planner) delays() []time.Duration {
	var all []time.Duration
	for _, n := range p.notes {
		all = append(all, n.after)
	}
	return all
}

// do returns an operation and its reason.
func do(o Operation, code Code, format string, args ...any) *step {
	return &step{o, because(code, format, args...)}
}

// because returns the reason with a message that ends with the remedy of its code.
func because(code Code, format string, args ...any) Reason {
	message := fmt.Sprintf(format, args...)
	if remedy := code.Remedy(); remedy != "" {
		message += "; " + remedy
	}
	return Reason{code, bounded(message)}
}
