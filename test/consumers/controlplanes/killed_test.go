//go:build linux && e2e

package controlplanes_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/machineadm/machineadm/test/controlplane"
	"github.com/machineadm/machineadm/test/planes"
)

// TestKilledController kills the manager of control planes at every operation and between its parts, while machines are
// created, replaced and removed.
func TestKilledController(t *testing.T) {
	o := observe(t, planes.New(t).Create(planes.Options{Name: "killed"}))
	o.step("1 → 3, controller killed", o.killing(o.scale(3)))
	o.step("rollout of 3, controller killed", o.killing(o.roll))
	o.step("3 → 1, controller killed", o.killing(o.scale(1)))
}

// killing returns a change during which the manager of control planes is killed at every operation.
func (o *observed) killing(change func()) func() {
	return func() {
		o.t.Helper()
		ctx, cancel := context.WithCancel(o.t.Context())
		killed := map[string]int{}
		var group sync.WaitGroup
		group.Go(func() { o.killAtOperations(ctx, killed) })
		change()
		o.Complete()
		cancel()
		group.Wait()
		o.t.Logf("killed at operations: %v", killed)
		o.Expect(killed).NotTo(BeEmpty())
	}
}

// killAtOperations kills the manager when it has changed an object of the management cluster that it did not change in
// this way before, and when it has carried out another operation on the workload cluster. It starts the manager again.
// It counts what the manager had done, until the context ends.
func (o *observed) killAtOperations(ctx context.Context, killed map[string]int) {
	seen := map[string]bool{}
	before := o.Operations()
	_, offset, err := o.Requests(0)
	o.Expect(err).NotTo(HaveOccurred())
	for ctx.Err() == nil {
		var requests []controlplane.Request
		requests, offset, err = o.Requests(offset)
		o.Expect(err).NotTo(HaveOccurred())
		all := changes(requests)
		all, before = o.operations(all, before)
		done := slices.DeleteFunc(all, func(c change) bool { return seen[c.kind+c.name] })
		for _, c := range done {
			seen[c.kind+c.name] = true
			killed[c.kind]++
		}
		if len(done) == 0 {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		o.KillPlanesManager()
		o.StartPlanesManager()
		before = nil
	}
}

// change is what the manager has done to an object, or an operation with the machines at that time.
type change struct{ kind, name string }

// changes returns the requests of the manager that changed objects.
func changes(requests []controlplane.Request) []change {
	var all []change
	for _, r := range requests {
		if r.User == controlplane.PlanesUser && slices.Contains([]string{"create", "patch", "delete"}, r.Verb) &&
			r.Subresource == "" && r.Resource != "events" && r.Code < 300 {
			all = append(all, change{r.Verb + " " + r.Resource, r.Name})
		}
	}
	return all
}

// operations adds the operations since the last counts, and returns the counts. A manager that was started again
// repeats some operations.
func (o *observed) operations(all []change, before map[string]int) ([]change, map[string]int) {
	counts := o.Operations()
	for operation, n := range counts {
		if n > before[operation] {
			var machines []string
			for _, m := range o.Machines() {
				machines = append(machines, m.Name)
			}
			slices.Sort(machines)
			all = append(all, change{operation, strings.Join(machines, " ")})
		}
	}
	return all, counts
}
