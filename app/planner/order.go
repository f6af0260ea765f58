package planner

import (
	"maps"
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

// precedence tells of each expander, by its name, whose documents come before its own in the same phase. Names that no expander
// has are in it and mean nothing.
type precedence map[string][]string

func (p precedence) add(c ports.Capability) {
	if len(c.After) > 0 {
		p[c.Name] = append(p[c.Name], c.After...)
	}
	for _, later := range c.Before {
		p[later] = append(p[later], c.Name)
	}
}

// cycle returns names each of which comes before the next, the last being the first; nil if there are none.
func (p precedence) cycle() []string {
	done := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if found := p.search([]string{name}, done); found != nil {
			slices.Reverse(found)
			return found
		}
	}
	return nil
}

// search goes from the path's last name to those before it, until it meets one that is in the path.
func (p precedence) search(path []string, done map[string]bool) []string {
	last := path[len(path)-1]
	if done[last] {
		return nil
	}
	for _, earlier := range p[last] {
		onward := append(slices.Clone(path), earlier)
		if at := slices.Index(path, earlier); at >= 0 {
			return onward[at:]
		}
		if found := p.search(onward, done); found != nil {
			return found
		}
	}
	done[last] = true
	return nil
}

// order puts documents of one phase into the order that their expanders ask for, and leaves them as they are otherwise.
func (p *Planner) order(docs []document.Document, t osprofile.Target) []document.Document {
	if len(p.precedence) == 0 {
		return docs
	}
	ordered := make([]document.Document, 0, len(docs))
	for len(docs) > 0 {
		next := slices.IndexFunc(docs, func(d document.Document) bool { return plan.PhaseOf(d) != plan.PhaseOf(docs[0]) })
		if next < 0 {
			next = len(docs)
		}
		for _, i := range p.precedence.sort(p.names(docs[:next], t)) {
			ordered = append(ordered, docs[i])
		}
		docs = docs[next:]
	}
	return ordered
}

// names returns the documents' expanders; one that has none has an empty name.
func (p *Planner) names(docs []document.Document, t osprofile.Target) []string {
	names := make([]string, len(docs))
	for i, d := range docs {
		names[i] = p.Expander(d, t)
	}
	return names
}

// sort returns the positions of the names so that those that come before others do, and the others stay as they were. There is
// no cycle.
func (p precedence) sort(names []string) []int {
	left := make([]int, len(names))
	for i := range names {
		left[i] = i
	}
	sorted := make([]int, 0, len(names))
	waits := func(i int) bool {
		earlier := p[names[i]]
		return len(earlier) > 0 && slices.ContainsFunc(left, func(other int) bool { return slices.Contains(earlier, names[other]) })
	}
	for len(left) > 0 {
		next := max(0, slices.IndexFunc(left, func(i int) bool { return !waits(i) }))
		sorted = append(sorted, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return sorted
}
