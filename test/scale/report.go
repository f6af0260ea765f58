package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/machineadm/machineadm/test/controlplane"
)

// result is what one manager did.
type result struct {
	Provider string `json:"provider"`
	Limits   string `json:"limits"`
	Workers  int    `json:"workers"`
	// Seconds passed from the first config to the last one that was ready.
	Seconds float64 `json:"seconds"`
	// Requests are those of the manager's identities, by verb and resource.
	Requests map[string]int `json:"requests"`
	// ServerCPU is the API server's processor time in seconds meanwhile.
	ServerCPU float64 `json:"serverCPU"`
	// PeakMemory is the manager's largest resident size in bytes.
	PeakMemory int64 `json:"peakMemory"`
}

func (r *result) count(requests []controlplane.Request) {
	r.Requests = map[string]int{}
	for _, q := range requests {
		resource := q.Resource
		if q.Subresource != "" {
			resource += "/" + q.Subresource
		}
		identity := ""
		if q.User == workloadUser {
			identity = " (workload)"
		}
		r.Requests[q.Verb+" "+resource+identity]++
	}
}

func (r *result) perWorker() float64 {
	total := 0
	for _, n := range r.Requests {
		total += n
	}
	return float64(total) / float64(r.Workers)
}

func printJSON(w io.Writer, results []result) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(results)
}

func printTable(w io.Writer, results []result) error {
	table := tabwriter.NewWriter(w, 0, 4, 1, ' ', 0)
	_, _ = fmt.Fprintln(table, "| provider\t| limits\t| workers\t| seconds\t| workers/s\t| requests per worker\t| API "+
		"server CPU per worker\t| peak memory\t|")
	_, _ = fmt.Fprintln(table, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, r := range results {
		_, _ = fmt.Fprintf(table, "| %s\t| %s\t| %d\t| %.1f\t| %.1f\t| %.2f\t| %.1f ms\t| %d MiB\t|\n", r.Provider, r.Limits,
			r.Workers, r.Seconds,
			float64(r.Workers)/r.Seconds, r.perWorker(), 1000*r.ServerCPU/float64(r.Workers), r.PeakMemory>>20)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	printRatios(w, results)
	return printRequests(w, results)
}

// printRatios prints how many times the throughput of the other provider this project's had, round by round.
func printRatios(w io.Writer, results []result) {
	for _, limits := range []string{limitsDefault, limitsLifted} {
		found := ratios(results, limits)
		if len(found) == 0 {
			continue
		}
		_, _ = fmt.Fprintf(w, "\nlimits %s: %.1f times the throughput", limits, found)
		if len(found) > 1 {
			slices.Sort(found)
			_, _ = fmt.Fprintf(w, ", median %.1f", found[len(found)/2])
		}
		_, _ = fmt.Fprintln(w)
	}
}

// ratios compares the results of each round.
func ratios(results []result, limits string) []float64 {
	var ours, theirs []float64
	for _, r := range results {
		switch {
		case r.Limits != limits:
		case r.Provider == machineadmName:
			ours = append(ours, r.Seconds)
		default:
			theirs = append(theirs, r.Seconds)
		}
	}
	found := make([]float64, min(len(ours), len(theirs)))
	for i := range found {
		found[i] = theirs[i] / ours[i]
	}
	return found
}

// printRequests prints what was asked for each worker, one row for each kind of request.
func printRequests(w io.Writer, results []result) error {
	table := tabwriter.NewWriter(w, 0, 4, 1, ' ', 0)
	kinds := map[string]bool{}
	head := "\n| requests per worker\t"
	for _, r := range results {
		head += "| " + r.Provider + ", " + r.Limits + "\t"
		for kind := range r.Requests {
			kinds[kind] = true
		}
	}
	_, _ = fmt.Fprintln(table, head+"|\n|---\t"+strings.Repeat("|---\t", len(results))+"|")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		row := "| " + kind + "\t"
		for _, r := range results {
			row += fmt.Sprintf("| %.2f\t", float64(r.Requests[kind])/float64(r.Workers))
		}
		_, _ = fmt.Fprintln(table, row+"|")
	}
	return table.Flush()
}
