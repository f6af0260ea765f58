package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// tables prints what docs/benchmarks.md shows.
func (r results) tables(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 4, 1, ' ', 0)
	_, _ = fmt.Fprintln(table, "| program\t| bytes\t|\n|---\t|---\t|")
	for _, name := range []string{agentName, "nodeadm"} {
		_, _ = fmt.Fprintf(table, "| %s\t| %d\t|\n", name, r.Sizes[name])
	}
	_, _ = fmt.Fprintf(table, "\n| machine\t| by\t| seconds\t| ratio\t| processor seconds\t| peak "+
		"memory\t|\n|---\t|---\t|---\t|---\t|---\t|---\t|\n")
	for _, machine := range machines() {
		agent := r.median(machine, agentName, func(m measured) float64 { return m.Seconds })
		for _, name := range []string{agentName, shortName, cloudInitName} {
			seconds := r.median(machine, name, func(m measured) float64 { return m.Seconds })
			_, _ = fmt.Fprintf(table, "| %s\t| %s\t| %.2f\t| %.1f\t| %.2f\t| %.0f MiB\t|\n", machine, name,
				seconds, seconds/agent,
				r.median(machine, name, func(m measured) float64 { return m.CPU }),
				r.median(machine, name, func(m measured) float64 { return float64(m.PeakMemory >> 20) }))
		}
	}
	return table.Flush()
}

// median returns the middle one of a contestant's figures.
func (r results) median(machine, name string, of func(measured) float64) float64 {
	var figures []float64
	for _, m := range r.Runs {
		if m.Machine == machine && m.Name == name {
			figures = append(figures, of(m))
		}
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}
