package main

import (
	"errors"
	"fmt"
	"strings"
)

// The limits of what the manager may need after the last day, compared with the second day: by then, all caches are
// filled. If each replaced machine leaves a goroutine, a series, or its objects in a cache, they are exceeded.
const (
	maxHeapGrowth = 1.10
	// maxObjects is how many objects of the heap each replaced machine may leave. The copy of a config has about 60, and
	// a machine leaves about 30 for the minutes in which client-go aggregates its events.
	maxObjects = 100
	// maxOthers is how many goroutines, series or objects of the API each replaced machine may leave.
	maxOthers = 0.5
)

// leaks returns an error for each number that grows from the second day to the last one.
func leaks(days []day) error {
	if len(days) < 3 {
		return errors.New("leaks are found in three days or more")
	}
	before, after, replaced := days[1], days[len(days)-1], 0
	for _, d := range days[2:] {
		replaced += d.Created
	}
	var errs []error
	if growth := quotient(after.Heap, before.Heap); growth > maxHeapGrowth {
		errs = append(errs, fmt.Errorf("heap: %.2f times that after the second day; the limit is %.2f", growth,
			maxHeapGrowth))
	}
	for _, c := range []struct {
		what          string
		before, after int64
		limit         float64
	}{
		{"objects of the heap", before.Objects, after.Objects, maxObjects},
		{"goroutines", before.Goroutines, after.Goroutines, maxOthers},
		{"series of metrics", before.Series, after.Series, maxOthers},
		{"Secrets", int64(before.Secrets), int64(after.Secrets), maxOthers},
	} {
		if each := float64(c.after-c.before) / float64(replaced); each > c.limit {
			errs = append(errs, fmt.Errorf("%s: %d after the second day, %d after the last one: each of %d replaced "+
				"machines leaves %.1f; the limit is %.1f", c.what, c.before, c.after, replaced, each, c.limit))
		}
	}
	return errors.Join(errs...)
}

// daysTable returns the days as a table of Markdown, and the growth of the heap.
func daysTable(days []day) string {
	var b strings.Builder
	b.WriteString("| day | machines created | tokens extended | pools signed again | heap after GC | objects of the " +
		"heap | goroutines | series of metrics | Secrets | tokens |\n" + strings.Repeat("|---", 10) + "|\n")
	for i, d := range days {
		fmt.Fprintf(&b, "| %d | %d | %d | %d | %.1f MiB | %d | %d | %d | %d | %d |\n", i+1, d.Created, d.Renewed, d.Resigned,
			float64(d.Heap)/(1<<20), d.Objects, d.Goroutines, d.Series, d.Secrets, d.Tokens)
	}
	if len(days) > 2 {
		fmt.Fprintf(&b, "\nThe heap after the last day is %.2f times that after the second day. The limit is %.2f.\n",
			quotient(days[len(days)-1].Heap, days[1].Heap), maxHeapGrowth)
	}
	return b.String()
}
