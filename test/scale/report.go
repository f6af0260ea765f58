package main

import (
	"cmp"
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
	Clusters int    `json:"clusters"`
	// Seconds passed from the first config to the last one that was ready.
	Seconds float64 `json:"seconds"`
	// Requests are those of the manager's identities, by verb and resource.
	Requests map[string]int `json:"requests"`
	// ServerCPU is the API server's processor time in seconds meanwhile.
	ServerCPU float64 `json:"serverCPU"`
	// Memory is the manager's when it has no more work. The kernel can drop the pages of the program file, and processes
	// of the same file share them.
	Memory controlplane.Memory `json:"memory"`
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

// medians returns a result of each provider and limit: of several rounds that with the median time.
func medians(results []result) (chosen []result) {
	groups, names := map[string][]result{}, []string{}
	for _, r := range results {
		name := r.Provider + r.Limits
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], r)
	}
	for _, name := range names {
		group := groups[name]
		slices.SortFunc(group, func(a, b result) int { return cmp.Compare(a.Seconds, b.Seconds) })
		chosen = append(chosen, group[len(group)/2])
	}
	return chosen
}

// table returns the results as tables of Markdown. Of several rounds, ratios are those of each round.
func table(results []result) string {
	var text strings.Builder
	w := &text
	table := tabwriter.NewWriter(w, 0, 4, 1, ' ', 0)
	_, _ = fmt.Fprintln(table, "| provider\t| limits\t| workers\t| seconds\t| workers/s\t| requests per worker\t| API "+
		"server CPU per worker\t| peak memory\t| heap and stacks\t| program file\t|")
	_, _ = fmt.Fprintln(table, "|---"+strings.Repeat("\t|---", 9)+"\t|")
	chosen := medians(results)
	for _, r := range chosen {
		_, _ = fmt.Fprintf(table, "| %s\t| %s\t| %d\t| %.1f\t| %.1f\t| %.2f\t| %.1f ms\t| %d MiB\t| %d MiB\t| %d MiB\t|\n",
			r.Provider, r.Limits, r.Workers, r.Seconds, float64(r.Workers)/r.Seconds, r.perWorker(),
			1000*r.ServerCPU/float64(r.Workers),
			r.Memory.Peak>>20, r.Memory.Heap>>20, r.Memory.Program>>20)
	}
	_ = table.Flush() // A strings.Builder returns no error.
	printRatios(w, results)
	printRequests(w, chosen)
	return text.String()
}

// printRatios prints how many times the throughput, and which part of the memory, of the other provider this project's
// had, round by round.
func printRatios(w io.Writer, results []result) {
	for _, limits := range []string{limitsDefault, limitsLifted} {
		for _, measured := range []struct {
			text string
			of   func(ours, theirs result) float64
		}{
			{"times the throughput", func(ours, theirs result) float64 { return theirs.Seconds / ours.Seconds }},
			{"times the peak memory", func(ours, theirs result) float64 {
				return quotient(ours.Memory.Peak, theirs.Memory.Peak)
			}},
			{"times the heap and stacks", func(ours, theirs result) float64 {
				return quotient(ours.Memory.Heap, theirs.Memory.Heap)
			}},
		} {
			if found := ratios(results, limits, measured.of); len(found) > 0 {
				_, _ = fmt.Fprintf(w, "\nlimits %s: %s %s\n", limits, list(found), measured.text)
			}
		}
	}
}

func quotient(a, b int64) float64 { return float64(a) / float64(b) }

// list returns the ratios, and their median if there are several.
func list(found []float64) string {
	text := ""
	for i, r := range found {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%.2f", r)
	}
	if len(found) > 1 {
		slices.Sort(found)
		text += fmt.Sprintf(", median %.2f,", found[len(found)/2])
	}
	return text
}

// ratios compares the results of each round.
func ratios(results []result, limits string, of func(ours, theirs result) float64) []float64 {
	var ours, theirs []result
	for _, r := range results {
		switch {
		case r.Limits != limits:
		case r.Provider == machineadmName:
			ours = append(ours, r)
		default:
			theirs = append(theirs, r)
		}
	}
	found := make([]float64, min(len(ours), len(theirs)))
	for i := range found {
		found[i] = of(ours[i], theirs[i])
	}
	return found
}

// printRequests prints what was asked for each worker, one row for each kind of request.
func printRequests(w io.Writer, results []result) {
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
	_ = table.Flush()
}
