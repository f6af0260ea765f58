package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/cmd/internal/corpus/specs"
)

// results are the outcomes of all distinct specs.
type results struct {
	Repositories []specs.Repository
	Found        specs.Found
	Outcomes     []outcome
}

// verdict is the result for one spec.
type verdict string

// The verdicts.
const (
	// lossless means that the machine does the same, as far as the comparison can see.
	lossless verdict = "lossless and trap-free"
	// reported means that a report or a finding names each field that is lost or that fails.
	reported verdict = "reported"
	// trapped means that a difference has no finding.
	trapped verdict = "trap"
	// refused means that Cluster API does not accept the spec, so there is nothing to compare.
	refused verdict = "refused by Cluster API"
)

func verdicts() []verdict { return []verdict{lossless, reported, trapped, refused} }

// verdict returns the result for the spec.
func (o outcome) verdict() verdict {
	switch {
	case o.Refused != "":
		return refused
	case slices.ContainsFunc(o.differing(), func(place string) bool { return !o.covered(place) }):
		return trapped
	case len(o.Problems)+len(o.errors())+len(o.differing()) > 0:
		return reported
	default:
		return lossless
	}
}

// differing returns the places of all differences and traps.
func (o outcome) differing() []string {
	var places []string
	for _, d := range o.Differences {
		places = append(places, d.Place)
	}
	for _, t := range o.Traps {
		places = append(places, t.Place)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (o outcome) errors() []string {
	var out []string
	for _, f := range o.Findings {
		if f.Severity == "error" {
			out = append(out, f.Path+": "+f.Message)
		}
	}
	return out
}

// counts returns the number of outcomes with each verdict, of all repositories or of one.
func (r results) counts(repository string) map[verdict]int {
	counts := map[verdict]int{}
	for _, o := range r.Outcomes {
		if repository == "" || o.Repository == repository {
			counts[o.verdict()]++
		}
	}
	return counts
}

// share returns the percentage of lossless specs of those that Cluster API accepts.
func share(counts map[verdict]int) string {
	all := counts[lossless] + counts[reported] + counts[trapped]
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(counts[lossless])/float64(all))
}

func (r results) summary() string {
	counts := r.counts("")
	var b strings.Builder
	fmt.Fprintf(&b, "%d specs, %d distinct, %d not read\n", len(r.Found.Specs), len(r.Outcomes), len(r.Found.Skipped))
	for _, v := range verdicts() {
		fmt.Fprintf(&b, "%d %s\n", counts[v], v)
	}
	fmt.Fprintf(&b, "%s\n", share(counts))
	return b.String()
}
