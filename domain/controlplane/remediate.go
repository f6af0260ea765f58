package controlplane

import (
	"cmp"
	"slices"
	"time"
)

// minHealthyPeriod is the default of Remediation.MinHealthyPeriod.
const minHealthyPeriod = time.Hour

// The first and the longest delay between retries if Remediation.RetryPeriod is nil.
const (
	firstRetryDelay   = time.Minute
	longestRetryDelay = 16 * time.Minute
)

// marked reports whether a health check or a user requests that the machine is replaced.
func (m Machine) marked() bool { return m.Unhealthy || m.RemediationRequested }

// faulty reports whether the machine is replaced by a remediation. A failure of a machine that has joined is left to
// health checks, which look at its node.
func (p *planner) faulty(m Machine) bool { return m.marked() || m.Failure != "" && !p.joined(m) }

// supersede deletes a machine that has not joined and that was created from an earlier template: its successor is
// created at once. Its member may vote already: kubeadm starts it before the API server, which may not start.
func (p *planner) supersede() *step {
	if p.d.Held != "" {
		return nil
	}
	for _, m := range p.staying {
		if differences := templateDifferences(p.d.Template, m); len(differences) > 0 && m.boots() && !m.WasNode() {
			if p.mayDiscard(m) {
				return do(Operation{Kind: KindDeleteMachine, Machine: m.Name}, CodeSuperseded,
					"machine %s has not joined and is outdated: %s", m.Name, differences[0].Message)
			}
		}
	}
	return nil
}

// mayDiscard reports whether a machine that has not joined may be deleted: it has no vote, or the others are a quorum
// without it.
func (p *planner) mayDiscard(m Machine) bool {
	member, votes := p.voter(m)
	if !votes {
		return !p.mayVote(m)
	}
	return p.votes.Without(member).Holds() && p.servedWithout(m) && p.alone(m)
}

// remediate deletes a faulty machine: those without a vote first, then those whose member is dead.
func (p *planner) remediate() *step {
	for _, m := range p.faultyMachines() {
		retry, ok := p.retry(m)
		if !ok || !p.mayRemediate(m) {
			continue
		}
		o := Operation{Kind: KindDeleteMachine, Machine: m.Name, Remediates: true}
		if len(p.staying) <= p.limit() {
			o.Replaces = &retry
		}
		return do(o, CodeRemediating, "machine %s is replaced: %s", m.Name, p.fault(m))
	}
	return nil
}

// faultyMachines returns the machines to remediate in the order of remediation: requested by a user, without a vote,
// with a dead member, oldest.
func (p *planner) faultyMachines() []Machine {
	found := filter(p.staying, p.faulty)
	rank := func(m Machine) int {
		member, votes := p.voter(m)
		switch {
		case m.RemediationRequested:
			return 0
		case !votes:
			return 1
		case !member.votes():
			return 2
		default:
			return 3
		}
	}
	slices.SortStableFunc(found, func(a, b Machine) int { return cmp.Compare(rank(a), rank(b)) })
	return found
}

// fault describes why the machine is faulty.
func (p *planner) fault(m Machine) string {
	switch {
	case m.Failure != "" && !p.joined(m):
		return text(m.Failure)
	case m.RemediationRequested:
		return "a user requested it"
	default:
		return "a health check marked it"
	}
}

// retry returns the remediation to record for the machine, or false if its limits do not permit it now.
func (p *planner) retry(m Machine) (Retry, bool) {
	next := Retry{Machine: m.Name, At: p.now}
	// The control plane records one remediation. Of two at once, it keeps the higher count.
	if p.recent(p.o.Remediated) {
		next.Count = p.o.Remediated.Count
	}
	last := p.replaced(m)
	if !p.recent(last) {
		return next, true
	}
	next.Count = max(next.Count, last.Count+1)
	if limit := p.d.Remediation.MaxRetry; limit != nil && last.Count >= *limit {
		p.note(m.Name, 0, CodeRemediationLimitReached,
			"machine %s is not replaced, because spec.remediation.maxRetry permits %d retries: %s", m.Name, *limit, p.fault(m))
		return Retry{}, false
	}
	if left := p.retryDelay(m, last.Count) - p.now.Sub(last.At); left > 0 {
		p.note(m.Name, left, CodeRemediationDelayed, "machine %s is replaced not before %s: %s", m.Name,
			stamp(p.now.Add(left)), p.fault(m))
		return Retry{}, false
	}
	return next, true
}

// replaced returns the remediation that the machine is the replacement for, or nil. A time in the future would prolong
// the delay. It is replaced by the creation of the machine, which followed the remediation.
func (p *planner) replaced(m Machine) *Retry {
	if m.Replaces == nil || !m.Replaces.At.After(p.now) {
		return m.Replaces
	}
	return &Retry{Machine: m.Replaces.Machine, At: m.CreatedAt, Count: m.Replaces.Count}
}

// retryDelay returns the least time between the last remediation and the next one after so many retries. By default it
// grows for machines that have not joined: the cause of their failures is often the same, such as an image that does
// not exist, and each replacement costs a machine. A later failure is not a retry, so that the delay ends then.
func (p *planner) retryDelay(m Machine, retries int) time.Duration {
	var delay time.Duration
	switch period := p.d.Remediation.RetryPeriod; {
	case period != nil:
		delay = *period
	case !p.joined(m) && !m.RemediationRequested:
		for delay = firstRetryDelay; retries > 0 && delay < longestRetryDelay; retries-- {
			delay *= 2
		}
	}
	return min(delay, p.healthyPeriod())
}

func (p *planner) healthyPeriod() time.Duration {
	return cmp.Or(p.d.Remediation.MinHealthyPeriod, minHealthyPeriod)
}

// recent reports whether a failure after the remediation is a retry.
func (p *planner) recent(r *Retry) bool { return r != nil && p.now.Sub(r.At) < p.healthyPeriod() }

// mayRemediate reports whether the faulty machine may be deleted now, and records why not. A machine without a vote may
// always be deleted. A voter that responds is one that etcd still needs: if it cannot be spared, a rollout replaces it.
func (p *planner) mayRemediate(m Machine) bool {
	if p.d.ExternalEtcd || !p.o.Initialized {
		return p.mayRemediateStateless(m)
	}
	member, votes := p.voter(m)
	switch {
	case !votes && p.mayVote(m):
		p.note(m.Name, memberDelay, CodeMemberUnassigned, "machine %s is to be replaced, and its etcd member is not "+
			"recognized by its addresses, name or ID", m.Name)
		return false
	case !votes:
		return true
	case !member.votes():
		return p.votes.Without(member).Holds()
	case p.irreplaceable(m):
		return false
	case !p.votes.Without(member).Holds(), !p.servedWithout(m):
		p.superseding[m.Name] = true
		return false
	}
	return p.alone(m)
}

// irreplaceable reports whether the replacement of a machine that works could not be created, and records why.
func (p *planner) irreplaceable(m Machine) bool {
	s := p.mayReplace()
	if s != nil {
		p.notes = append(p.notes, note{m.Name, Reason{
			s.Code, bounded("machine " + m.Name + " is marked and not replaced: " + s.Message),
		}, s.After})
	}
	return s != nil
}

// mayRemediateStateless decides for a machine that has no etcd member.
func (p *planner) mayRemediateStateless(m Machine) bool {
	switch {
	case !p.o.Initialized || !p.joined(m):
		return true
	case p.serves(m) && p.irreplaceable(m):
		return false
	case !p.servedWithout(m):
		p.superseding[m.Name] = true
		return false
	}
	return p.alone(m)
}

// alone reports whether all other machines are there: none that responds is being deleted, none joins, and none is
// missing that could be created. Otherwise a mark by mistake would remove a vote that is needed soon. A machine without
// a healthy API server does not wait for a missing one, because it may be the reason why none can be created. One that
// has not joined does not wait for one that is being deleted, which may wait for its replacement.
func (p *planner) alone(m Machine) bool {
	for _, other := range p.staying {
		if other.Name != m.Name && !p.joined(other) {
			p.note(m.Name, 0, CodeRemediationBlocked, "machine %s is replaced after machine %s has joined", m.Name, other.Name)
			return false
		}
	}
	if len(p.staying) < p.d.Replicas && p.serves(m) && p.mayCreate() == nil {
		p.note(m.Name, 0, CodeRemediationBlocked, "machine %s is replaced after the missing one was created", m.Name)
		return false
	}
	for _, other := range p.leaving {
		if p.joined(m) && (p.responds(other) || p.d.ExternalEtcd) {
			p.note(m.Name, 0, CodeRemediationBlocked, "machine %s is replaced after the deletion of %s", m.Name, other.Name)
			return false
		}
	}
	return true
}
