// Package precedence sorts names topologically: each name may have to come before or after others.
package precedence

import (
	"maps"
	"slices"
)

// Table maps each name to the names that come before it. Unused names are allowed and ignored.
type Table map[string][]string

// Add records that one name comes before another.
func (t Table) Add(earlier, later string) { t[later] = append(t[later], earlier) }

// Cycle returns a cycle of names, each before the next, with the first name repeated at the end, or nil if there is
// none.
func (t Table) Cycle() []string {
	done := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if found := t.search([]string{name}, done); found != nil {
			slices.Reverse(found)
			return found
		}
	}
	return nil
}

// search extends the path by the names that come before its last name, depth first, until a name repeats.
func (t Table) search(path []string, done map[string]bool) []string {
	last := path[len(path)-1]
	if done[last] {
		return nil
	}
	for _, earlier := range t[last] {
		onward := append(slices.Clone(path), earlier)
		if at := slices.Index(path, earlier); at >= 0 {
			return onward[at:]
		}
		if found := t.search(onward, done); found != nil {
			return found
		}
	}
	done[last] = true
	return nil
}

// Sort returns the indexes of the names in sorted order. It keeps the relative order of names that need not be moved.
// The table must not contain a cycle.
func (t Table) Sort(names []string) []int {
	left, remaining := make([]int, len(names)), map[string]int{}
	for i, name := range names {
		left[i] = i
		remaining[name]++
	}
	waits := func(i int) bool {
		return slices.ContainsFunc(t[names[i]], func(earlier string) bool { return remaining[earlier] > 0 })
	}
	sorted := make([]int, 0, len(names))
	for len(left) > 0 {
		next := max(0, slices.IndexFunc(left, func(i int) bool { return !waits(i) }))
		sorted = append(sorted, left[next])
		remaining[names[left[next]]]--
		left = slices.Delete(left, next, next+1)
	}
	return sorted
}
