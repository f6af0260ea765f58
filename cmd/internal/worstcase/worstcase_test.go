// Package worstcase_test makes the most expensive object for each list, map, text and reference of the API, and takes
// it through all that the controllers do with it.
//
// `make test` runs a sample and compares it with docs/evidence/worst-case.md. `make nightly` runs everything, in all
// formats and with all kinds of text. `MACHINEADM_NIGHTLY=1 UPDATE=1 go test -run 'TestWorstCases$'` writes the page.
package worstcase_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/adapters/kubernetes/api/v1alpha1"
	"github.com/machineadm/machineadm/cmd/internal/catalog/formats"
	"github.com/machineadm/machineadm/cmd/internal/catalogtest"
	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/test/golden"
	"github.com/machineadm/machineadm/test/nightly"
)

const (
	page = "../../../docs/evidence/worst-case.md"
	// maxHeld is what the controller may hold at once for one object.
	maxHeld = 256 << 20
	// maxOutput is what the content of an object becomes as base64, which is how plugins keep much of it.
	maxOutput = 24 << 20
)

// cost is what an object costs.
type cost struct {
	result
	object int
	text   string
	// allocated is the sum of all allocations, and held the most that was held at once, if the sum is more than may be
	// held.
	allocated, held uint64
	took            time.Duration
}

// String returns what is not the same each time.
func (c cost) String() string {
	took := c.took.Round(time.Millisecond)
	return fmt.Sprintf("text of %s, %d MiB allocated, %d MiB held, %v", c.text, c.allocated>>20, c.held>>20, took)
}

// run takes the worst object of a site through a format; the operating system's own if it is empty.
func (s site) run(t testing.TB, p *pipeline, v variant, format, distribution string) cost {
	t.Helper()
	spec, size := s.generate(t, v)
	if os, ok := spec["os"].(map[string]any); ok && distribution != "" {
		os["distribution"] = distribution
	}
	if _, given := spec["delivery"]; format == byAgent && !given {
		spec["delivery"] = map[string]any{"mode": "Agent"}
	}
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	refs := s.contents()
	c := cost{object: size, text: v.name}
	c.allocated = allocations(func() {
		start := time.Now()
		c.result = p.run(s.kind, text, format, refs)
		c.took = time.Since(start)
	})
	if c.allocated > maxHeld {
		c.held = most(func() { p.run(s.kind, text, format, refs) })
	}
	s.check(t, c, format)
	return c
}

func (s site) check(t testing.TB, c cost, format string) {
	t.Helper()
	where := fmt.Sprintf("%s (%s, text of %s)", s, format, c.text)
	if c.held > maxHeld {
		t.Errorf("%s: %d MiB are held at once", where, c.held>>20)
	}
	if c.output > maxOutput {
		t.Errorf("%s: %d bytes of output", where, c.output)
	}
	if c.nodes > budget.Default().Nodes {
		t.Errorf("%s: %d nodes", where, c.nodes)
	}
	if strings.HasPrefix(c.outcome, "error") {
		t.Errorf("%s: %s", where, c.outcome)
	}
}

// allocations returns how many bytes a function allocates.
func allocations(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// most returns how many bytes of the heap are used at once while a function runs. The garbage collector runs so often
// that garbage is a tenth of it.
func most(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	used := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, highest, done, stopped := used(), uint64(0), make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				highest = max(highest, used())
			}
		}
	}()
	f()
	close(done)
	<-stopped
	return max(highest, before) - before
}

// row is the line of the page about a site: that of the text that makes the most output.
func (s site) row(c cost) string {
	shape := s.shape
	if s.shape == aText {
		shape += " of " + c.text
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %s | %d | %d |\n",
		s.field(), shape, s.limit(), c.object, c.outcome, coarse(c.output), c.nodes)
}

// leastKiB is the smallest size in the column output. Most of a smaller output is fixed text.
const leastKiB = 64

// coarse returns the size in KiB, rounded up to a power of two. It changes with what an object contains, and rarely
// with the text of a finding or of the bootstrap program.
func coarse(bytes int) int {
	size := leastKiB
	for size<<10 < bytes {
		size *= 2
	}
	return size
}

// worst runs a site with each kind of text that the page compares, and with names if all others are refused. What is
// rendered is worse than what is refused.
func (s site) worst(t testing.TB, p *pipeline) cost {
	t.Helper()
	var worst cost
	try := func(v variant) {
		c := s.run(t, p, v, "", "")
		refused := c.outcome == refusal && worst.outcome != refusal
		if worst.text == "" || !refused && (worst.outcome == refusal || c.output > worst.output) {
			worst = c
		}
	}
	for _, v := range variants() {
		if v.name == noise || s.shape == aText && v.name == "quotes" {
			try(v)
		}
	}
	for _, v := range names() {
		if s.shape == aText && worst.outcome == refusal {
			try(v)
		}
	}
	return worst
}

// refusal is the outcome of an object that is not rendered.
const refusal = "InvalidSpec"

const columns = "| place | kind | limit | object | result | output | nodes |\n|---|---|---|---|---|---|---|\n"

const head = `# The worst case of every list and text

Each line is the most expensive object that the API server accepts for one place of the API: the place, and the lists
that lead to it, are as full as their limits and the size of an object (1.4 MB) let them be. References lead to
contents that have the 16 MiB of the [budget](../adr/0058-one-budget-per-object.md) together. The object is taken
through the index function, the conversion, the plan and the rendering of Ubuntu's format; plugins through the
conversion and the codec. *Output* is the size of the data and the findings in KiB, rounded up to a power of two from 64
on; *nodes* are the values that are drawn from the budget. Fields that an object needs beside the place are added, and
a text that is refused otherwise is made of letters, so that the object is rendered; what is still InvalidSpec takes
few values only. No place makes the controller hold more than 256 MiB at once.

` + "`make nightly`" + ` runs all places in all formats with all kinds of text, and prints seconds and memory. ` +
	"`make test`" + ` runs
a sample.
`

// sampled is the distance of the places that every run tries.
const sampled = 48

// TestWorstCases holds that the page has every place of the API with its limit, and that a sample of its lines is true.
// `make nightly` tries all of them.
func TestWorstCases(t *testing.T) {
	if nightly.Enabled() {
		golden.File(t, page, []byte(wholePage(t)))
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	p, found := newPipeline(t), sites(t)
	for i, s := range found {
		_, section, _ := strings.Cut(string(text), "\n## "+s.kind+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		place := fmt.Sprintf(`(?m)^\| %s \| %s[a-z ]* \| %s \| .*$`, regexp.QuoteMeta(s.field()), s.shape, s.limit())
		line := pattern(place).FindString(section)
		switch {
		case line == "":
			t.Errorf("%s has no line of %s with the limit %q", page, s, s.limit())
		case i%sampled == 0:
			if want := s.row(s.worst(t, p)); want != line+"\n" {
				t.Errorf("%s: %s\nit has: %s", page, want, line)
			}
		}
	}
	if lines := strings.Count(string(text), "\n| spec"); lines != len(found) {
		t.Errorf("%s has %d lines, and the API %d places", page, lines, len(found))
	}
}

func wholePage(t *testing.T) string {
	p := newPipeline(t)
	var b strings.Builder
	b.WriteString(head)
	kind := ""
	found := sites(t)
	for i, s := range found {
		if s.kind != kind {
			kind = s.kind
			b.WriteString("\n## " + kind + "\n\n" + columns)
		}
		c := s.worst(t, p)
		b.WriteString(s.row(c))
		t.Logf("%d of %d, %s: %s: %s", i+1, len(found), s, c.outcome, c)
	}
	return b.String()
}

// byAgent is the name of a machine whose agent applies most of its configuration.
const byAgent = "agent"

// TestEveryFormat takes the places of machines through all formats, and to agents, with all kinds of text: a sample of
// them, or in `make nightly` all.
func TestEveryFormat(t *testing.T) {
	p := newPipeline(t)
	systems := map[string]string{byAgent: "ubuntu"}
	for _, r := range formats.Bootable() {
		systems[string(r.Format())] = catalogtest.Target(t, r).Profile.ID
	}
	found, done := sites(t), 0
	for format, system := range systems {
		for i, s := range found {
			done++
			if s.kind != v1alpha1.ConfigKind || !nightly.Enabled() && i%(4*sampled) != 0 {
				continue
			}
			for j, v := range variants() {
				if s.shape != aText && v.name != noise || !nightly.Enabled() && j%3 != 0 {
					continue
				}
				c := s.run(t, p, v, format, system)
				if nightly.Enabled() {
					t.Logf("%d of %d, %s in %s: %s: %s", done, len(systems)*len(found), s, format, c.outcome, c)
				}
			}
		}
	}
}
