package portstest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// renderings is how often a renderer is asked the same: often enough that two keys of a map come in either order.
const renderings = 4

// Renderer holds a renderer to its contract on a target of its own operating system. Each operation, and each document that
// the renderer calls native, is held by the consumer's view of the output at the places that Says names, or refused by an
// error finding at its document's path; nothing is dropped in silence. The same plan gives the same bytes; next to errors
// there is no payload; Says is parallel to the steps; what is written in another format's language is left alone; findings
// repeat no secret.
//
// What a format must say stands elsewhere: refusing all of it passes here.
func Renderer(t *testing.T, r ports.Renderer, target osprofile.Target, view View) {
	t.Run("operations", func(t *testing.T) {
		for _, s := range Actions(target) {
			t.Run(s.Name, func(t *testing.T) { Operation(t, r, target, s, view) })
		}
	})
	t.Run("native documents", func(t *testing.T) {
		for _, s := range Documents(target) {
			if s.Document != nil && r.Native(s.At("documents")[0], target) {
				t.Run(s.Name, func(t *testing.T) { native(t, r, target, s, view) })
			}
		}
	})
	t.Run("snippets of other formats", func(t *testing.T) { foreign(t, r, target) })
}

// Verdict is what became of a sample.
type Verdict struct {
	// Refused is the first error finding; the zero finding means that the sample is held.
	Refused report.Finding
	// Says are the places of the sample's steps.
	Says []string
}

// Held reports whether the output holds the sample.
func (v Verdict) Held() bool { return v.Refused == report.Finding{} }

// Operation holds the renderer to its contract for the operation of a sample, and returns what became of it.
func Operation(t *testing.T, r ports.Renderer, target osprofile.Target, s Sample, view View) Verdict {
	t.Helper()
	if s.Do == nil {
		t.Fatalf("there is no sample of %s: add one to package portstest", s.Name)
	}
	if s.Document == nil {
		s.Document = machine.Command{Phase: document.PhasePre, Script: "true"}
	}
	s.With = shared(target)
	docs := s.At("documents")
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		expansions[i].Native = i > 0 && r.Native(d, target)
	}
	expansions[0].Actions = action.Of(s.Do)
	return Judge(t, r, plan.New(target, docs, expansions), s, view)
}

func native(t *testing.T, r ports.Renderer, target osprofile.Target, s Sample, view View) {
	t.Helper()
	docs, _ := plan.Order(s.At("documents"))
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		expansions[i].Native = r.Native(d, target)
	}
	Judge(t, r, plan.New(target, docs, expansions), s, view)
}

// Judge renders a plan in which the sample stands, whose document has the path documents[0], and holds the result to the
// contract.
func Judge(t *testing.T, r ports.Renderer, p plan.Plan, s Sample, view View) Verdict {
	t.Helper()
	rendering, findings := rendered(t, r, p)
	Discreet(t, findings)
	if findings.HasErrors() {
		return refused(t, p, rendering, findings)
	}
	if rendering.Payload.Data.IsZero() {
		t.Error("neither a payload nor an error")
	}
	if rendering.Payload.Format != r.Format() {
		t.Errorf("the payload's format is %q", rendering.Payload.Format)
	}
	if len(rendering.Says) != len(p.Steps) {
		t.Fatalf("%d steps, and Says has %d", len(p.Steps), len(rendering.Says))
	}
	verdict := Verdict{Says: saysOf(p, rendering)}
	hold(t, rendering, verdict.Says, s, view)
	return verdict
}

// rendered asks several times.
func rendered(t *testing.T, r ports.Renderer, p plan.Plan) (ports.Rendering, report.Report) {
	t.Helper()
	first, findings, err := r.Render(p)
	if err != nil {
		t.Fatalf("Render: %v", err)
	}
	for range renderings {
		again, found, err := r.Render(p)
		if err != nil || !again.Payload.Data.Equal(first.Payload.Data) || !slices.Equal(again.Says, first.Says) || !slices.Equal(found, findings) {
			t.Fatalf("asked the same, the renderer gives another answer: %v", err)
		}
	}
	return first, findings
}

func refused(t *testing.T, p plan.Plan, rendering ports.Rendering, findings report.Report) Verdict {
	t.Helper()
	if !rendering.Payload.Data.IsZero() {
		t.Error("a payload in spite of errors")
	}
	verdict := Verdict{}
	for _, f := range findings {
		if f.Severity != report.Error {
			continue
		}
		about := func(d document.Document) bool { return f.Path.Under(d.Source.Path) }
		if !slices.ContainsFunc(p.Documents, about) {
			t.Errorf("the finding is about no document of the plan: %s", f)
		}
		if verdict.Held() {
			verdict.Refused = f
		}
	}
	return verdict
}

// saysOf returns the places of the steps that the sample's document became, each once.
func saysOf(p plan.Plan, rendering ports.Rendering) []string {
	var places []string
	for i, s := range p.Steps {
		if p.Source(s).Path != "documents[0]" {
			continue
		}
		for place := range strings.SplitSeq(rendering.Says[i], ", ") {
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	return places
}

// hold looks for the sample's evidence: at its places, or anywhere if a native document has none.
func hold(t *testing.T, rendering ports.Rendering, places []string, s Sample, view View) {
	t.Helper()
	if slices.Contains(places, "") {
		t.Errorf("%s: neither refused nor said anywhere", s.Name)
	}
	payload := rendering.Payload.Data.Reveal()
	at := view(t, payload)
	if len(places) == 0 {
		at, places = Anywhere(t, payload), []string{""}
	}
	text := ""
	for _, place := range places {
		found := at(place)
		if found == "" {
			t.Errorf("%s: nothing stands at %q", s.Name, place)
		}
		text += found + "\n"
	}
	for _, e := range s.Holds {
		if !slices.ContainsFunc(e, func(spelling string) bool { return strings.Contains(text, spelling) }) {
			t.Errorf("%s: at %v nothing is said of %q:\n%.3000s", s.Name, places, e, text)
		}
	}
}

// Discreet fails the test if a finding repeats a secret of the samples.
func Discreet(t *testing.T, findings report.Report) {
	t.Helper()
	for _, f := range findings {
		for _, s := range secrets() {
			if strings.Contains(fmt.Sprint(f), s) {
				t.Errorf("the finding at %s tells a secret", f.Path)
			}
		}
	}
}

// foreign gives the renderer a snippet in the language of a format that there is not.
func foreign(t *testing.T, r ports.Renderer, target osprofile.Target) {
	t.Helper()
	docs := append([]document.Document{}, Sample{With: append(shared(target), worker(target))}.At("documents")...)
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		expansions[i].Native = r.Native(d, target)
	}
	plain, _ := rendered(t, r, plan.New(target, docs, expansions))
	target.Snippets = []osprofile.SourcedSnippet{{
		Snippet: delivery.Snippet{Format: "conformance-format", Text: "}} no language at all {{", Strict: true},
		Source:  document.Source{Path: "snippets[0]"},
	}}
	with, findings := rendered(t, r, plan.New(target, docs, expansions))
	if findings.HasErrors() || !with.Payload.Data.Equal(plain.Payload.Data) {
		t.Errorf("a snippet of another format changes the output: %v", findings)
	}
}
