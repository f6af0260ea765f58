package meaning

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Difference is a place at which two machines differ.
type Difference struct {
	Place string
	// Theirs and Ours are the values; empty if there is none.
	Theirs, Ours string
}

// Compare returns the differences of the machine of the kubeadm provider and of this project's.
func Compare(theirs, ours Machine) []Difference {
	theirs.Interpret()
	ours.Interpret()
	var out []Difference
	places := map[string]bool{}
	for p := range theirs.Values {
		places[p] = true
	}
	for p := range ours.Values {
		places[p] = true
	}
	for _, p := range slices.Sorted(maps.Keys(places)) {
		if _, found := theirs.Values[p]; !found && ours.Added[p] {
			continue
		}
		if theirs.Values[p] != ours.Values[p] {
			out = append(out, Difference{p, theirs.Values[p], ours.Values[p]})
		}
	}
	for _, phase := range []Phase{Boot, Pre, Post} {
		out = append(out, compareCommands(phase, theirs.Commands[phase], ours.Commands[phase])...)
	}
	return out
}

// compareCommands compares the lines of commands and their order. A command of several lines and one for each line are
// the same, except for what a line leaves for the next one.
func compareCommands(phase Phase, theirs, ours []string) []Difference {
	a, b := lines(theirs), lines(ours)
	var out []Difference
	place := "commands." + string(phase)
	var commonA, commonB []string
	for _, line := range a {
		if slices.Contains(b, line) {
			commonA = append(commonA, line)
		} else {
			out = append(out, Difference{Place: place, Theirs: line})
		}
	}
	for _, line := range b {
		if slices.Contains(a, line) {
			commonB = append(commonB, line)
		} else {
			out = append(out, Difference{Place: place, Ours: line})
		}
	}
	if !slices.Equal(commonA, commonB) {
		out = append(out, Difference{place + " (order)", strings.Join(commonA, "\n"), strings.Join(commonB, "\n")})
	}
	return out
}

func lines(commands []string) []string {
	var out []string
	for _, c := range commands {
		for line := range strings.SplitSeq(c, "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				out = append(out, line)
			}
		}
	}
	return out
}

// Sort sorts differences by their places.
func Sort(all []Difference) {
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(a.Place, b.Place) })
}
