package controlplane

import (
	"cmp"
	"math"
	"slices"
)

// place returns the failure domain of the next machine: the one with the fewest machines that are up to date, then the
// one with the fewest machines, then the first one. It is empty if there are no failure domains.
func (p *planner) place() string {
	if len(p.d.FailureDomains) == 0 {
		return ""
	}
	current, all := map[string]int{}, map[string]int{}
	for _, m := range p.staying {
		all[m.FailureDomain]++
		if !p.outdated(m) {
			current[m.FailureDomain]++
		}
	}
	return slices.MinFunc(p.d.FailureDomains, func(a, b string) int {
		return cmp.Or(cmp.Compare(current[a], current[b]), cmp.Compare(all[a], all[b]), cmp.Compare(a, b))
	})
}

// crowded returns the number of machines in the failure domain. A domain that accepts no machines any more is emptied
// first. Without failure domains, all are equal.
func (p *planner) crowded(domain string) int {
	switch {
	case len(p.d.FailureDomains) == 0:
		return 0
	case !slices.Contains(p.d.FailureDomains, domain):
		return math.MaxInt
	}
	n := 0
	for _, m := range p.staying {
		if m.FailureDomain == domain {
			n++
		}
	}
	return n
}

// victim returns the machine that is deleted next: one that a user prefers, then one that is ill, then an outdated one.
// Of several, it is the oldest in the fullest failure domain. While machines are outdated, others are deleted only if a
// user prefers them: otherwise a faulty template would replace its own machines forever.
func (p *planner) victim() Machine {
	preferred := func(m Machine) bool { return m.DeletionPreferred }
	ill := func(m Machine) bool { return p.illness(m) != "" }
	both := func(f, g func(Machine) bool) func(Machine) bool {
		return func(m Machine) bool { return f(m) && g(m) }
	}
	for _, wanted := range []func(Machine) bool{
		both(preferred, p.replaces), preferred, both(ill, p.replaces), p.replaces, ill,
	} {
		if found := filter(p.staying, wanted); len(found) > 0 {
			return p.oldestOfFullest(found)
		}
	}
	return p.oldestOfFullest(p.staying)
}

// oldestOfFullest returns the oldest machine of the fullest failure domain. The machines are ordered by age.
func (p *planner) oldestOfFullest(machines []Machine) Machine {
	return slices.MaxFunc(machines, func(a, b Machine) int {
		return cmp.Or(cmp.Compare(p.crowded(a.FailureDomain), p.crowded(b.FailureDomain)), older(b, a))
	})
}

// older orders machines by age, then by name.
func older(a, b Machine) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Name, b.Name))
}

func filter(machines []Machine, wanted func(Machine) bool) []Machine {
	var found []Machine
	for _, m := range machines {
		if wanted(m) {
			found = append(found, m)
		}
	}
	return found
}
