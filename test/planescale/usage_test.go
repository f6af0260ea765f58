package planescale_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/test/controlplane"
)

// usage is what a manager of control planes has used.
type usage struct {
	at  time.Time
	cpu time.Duration
	// management are the requests to the management cluster, and workload those to workload clusters, by kind.
	management, workload map[string]int
}

// meter measures a manager.
type meter struct {
	process *controlplane.Process
	// user is the name of the manager in the audit log, and agent in the requests to workload clusters.
	user, agent string
}

// read returns what the manager has used since it started.
func (m meter) read(t *testing.T) usage {
	t.Helper()
	u := usage{at: time.Now(), management: map[string]int{}, workload: map[string]int{}}
	var err error
	if u.cpu, err = m.process.CPU(); err != nil {
		t.Fatal(err)
	}
	requests, _, err := env.Requests(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if r.User == m.user && r.Resource != "leases" && r.Verb != "watch" {
			u.management[r.Verb+" "+strings.TrimSuffix(r.Resource+"/"+r.Subresource, "/")]++
		}
	}
	counts, err := env.infrastructure.Requests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for r, n := range counts {
		// Probes of the connection, and discovery, name no resource.
		if r.Agent == m.agent && r.Resource != "" && r.Verb != "WATCH" {
			u.workload[strings.ToLower(r.Verb)+" "+strings.TrimSuffix(r.Resource+"/"+r.Subresource, "/")] += n
		}
	}
	return u
}

// since returns the difference of two measurements.
func (u usage) since(before usage) usage {
	return usage{
		at: u.at, cpu: u.cpu - before.cpu,
		management: difference(u.management, before.management), workload: difference(u.workload, before.workload),
	}
}

func difference(now, before map[string]int) map[string]int {
	found := map[string]int{}
	for kind, n := range now {
		if n > before[kind] {
			found[kind] = n - before[kind]
		}
	}
	return found
}

func sum(counts map[string]int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

// list returns the counts, the largest first.
func list(counts map[string]int) string {
	kinds := make([]string, 0, len(counts))
	for kind := range counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	var text []string
	for _, kind := range kinds {
		text = append(text, fmt.Sprintf("%s %d", kind, counts[kind]))
	}
	return strings.Join(text, ", ")
}
