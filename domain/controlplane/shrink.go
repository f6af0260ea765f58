package controlplane

import (
	"fmt"
	"slices"
)

// shrink deletes a machine if there are too many, or if one is outdated and its replacement exists or must not exist
// before.
func (p *planner) shrink() *step {
	rolling := slices.ContainsFunc(p.staying, p.replaces)
	if !rolling && len(p.staying) <= p.d.Replicas {
		return nil
	}
	if p.d.Held != "" {
		return p.held()
	}
	if rolling && len(p.staying) <= p.d.Replicas {
		if s := p.mayBegin(); s != nil {
			return s
		}
	}
	if len(p.leaving) > 0 {
		return p.wait(0, CodeDeletingMachine, "the next machine is deleted after %s", names(p.leaving))
	}
	if len(p.staying) == 0 {
		return nil
	}
	victim := p.victim()
	if s := p.maySpare(victim); s != nil {
		return s
	}
	o := Operation{Kind: KindDeleteMachine, Machine: victim.Name}
	if rolling {
		return do(o, CodeRollingOut, "machine %s is replaced: %s", victim.Name, p.cause(victim))
	}
	return do(o, CodeScalingDown, "machine %s is deleted, because %d of %d machines are wanted", victim.Name, p.d.Replicas,
		len(p.staying))
}

// mayBegin returns what is to be done before a machine is deleted that has no replacement yet, or nil. The deletion
// would be in vain if no machine could join.
func (p *planner) mayBegin() *step {
	if s := p.mayReplace(); s != nil || p.o.JoinPrepared {
		return s
	}
	return p.prepareJoin()
}

// maySpare returns why the machine must not be deleted now, or nil.
func (p *planner) maySpare(victim Machine) *step {
	if member, votes := p.voter(victim); p.stacked() && votes {
		rest := p.votes.Without(member)
		switch {
		case rest.Voters == 0:
			return p.wait(0, CodeLastMachine, "machine %s has the last etcd member", victim.Name)
		case !rest.Holds():
			return p.wait(memberDelay, CodeDeletionBlocked, "machine %s is to be deleted, and without its etcd member %s",
				victim.Name, rest)
		}
	}
	if s := p.othersFit(victim.Name); s != nil {
		return s
	}
	if !p.servedWithout(victim) || len(p.staying) == 1 {
		return p.wait(0, CodeLastMachine, "no machine but %s has a healthy API server", victim.Name)
	}
	return nil
}

// cause describes why a rollout deletes the machine.
func (p *planner) cause(m Machine) string {
	if d := Differences(p.d, m, p.now); len(d) > 0 {
		return d[0].Message
	}
	if p.superseding[m.Name] {
		return p.fault(m)
	}
	return "a user prefers its deletion"
}

// rollout describes the rollout by the first machine that it replaces.
func (p *planner) rollout() (Code, string) {
	m := filter(p.staying, p.replaces)[0]
	code := CodeRollingOut
	if !p.outdated(m) {
		code = CodeRemediating
	}
	return code, fmt.Sprintf("a machine is created before machine %s is replaced: %s", m.Name, p.cause(m))
}
