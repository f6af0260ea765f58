package portstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// renderings is how often a renderer is asked the same again. Over all samples that is often enough for two keys of a
// map to come in either order.
const renderings = 2

// Renderer holds a renderer to its contract on a target of its own operating system. Each operation, and each document
// that the renderer calls native, is held by the consumer's view of the output at the places that Places names, or
// refused by an error finding at its document's path; nothing is dropped in silence: an info finding names a value that
// has no meaning on the operating system. The same plan gives the same bytes; next to errors there is no payload;
// Places is parallel to the steps; what is written in another format's language is left alone; findings repeat no
// secret; when the context ends, rendering stops.
//
// A format that refuses everything passes; the floors of the formats limit what may be refused.
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
	t.Run("context", func(t *testing.T) { ends(t, r, target) })
}

// RenderResult is what became of a sample.
type RenderResult struct {
	// Refused is the first error finding; the zero finding means that the sample is held.
	Refused report.Finding
	// Native means that the format renders the document itself.
	Native bool
	// Places are the places of the sample's steps, each once, or none if there was nothing to do.
	Places []string
	// Elsewhere means that the output of another document contains the sample's evidence.
	Elsewhere bool
	// Program are the places of the plan's commands: where a format that has a program carries out what it has no words
	// for.
	Program []string
}

// Rendered reports whether the output holds the sample.
func (v RenderResult) Rendered() bool { return v.Refused == report.Finding{} }

// Operation holds the renderer to its contract for the operation of a sample, and returns what became of it.
func Operation(t *testing.T, r ports.Renderer, target osprofile.Target, s Sample, view View) RenderResult {
	t.Helper()
	if s.Do == nil {
		t.Fatalf("there is no sample of %s: add one to package portstest", s.Name)
	}
	if s.Document == nil {
		s.Document = machine.Command{Phase: document.PhasePre, Script: "true"}
	}
	s.With = Machine(target)
	p := planOf(r, target, s)
	if _, findings, err := r.Render(t.Context(), planOf(r, target, command(target))); err == nil && !findings.HasErrors() {
		s.With = append(s.With, command(target).Document)
		p = planOf(r, target, s)
	}
	return RenderSample(t, r, p, s, view)
}

// command is the sample of which each format that has a program makes a part of it.
func command(t osprofile.Target) Sample {
	c := machine.Command{Phase: document.PhasePre, Script: "true"}
	return Sample{Do: operation(c), Document: c, With: shared(t)}
}

func operation(c machine.Command) action.Operation {
	return action.RunCommand{Name: "command", Script: c.Script, When: c.Phase}
}

// planOf expands nothing but the sample, to its operation, and commands.
func planOf(r ports.Renderer, target osprofile.Target, s Sample) plan.Plan {
	docs := s.At("documents")
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		c, isCommand := d.Value.(machine.Command)
		switch {
		case i == 0 && s.Do != nil:
			expansions[i].Actions = action.Of(s.Do)
		case i > 0 && isCommand:
			expansions[i].Actions = action.Of(operation(c))
		default:
			expansions[i].Native = r.Native(d, target)
		}
	}
	return plan.New(target, docs, expansions)
}

func native(t *testing.T, r ports.Renderer, target osprofile.Target, s Sample, view View) {
	t.Helper()
	RenderSample(t, r, planOf(r, target, s), s, view)
}

// RenderSample renders a plan that contains the sample, whose document has the path documents[0], and checks the result
// against the contract.
func RenderSample(t *testing.T, r ports.Renderer, p plan.Plan, s Sample, view View) RenderResult {
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
	if len(rendering.Places) != len(p.Steps) {
		t.Fatalf("%d steps, and Places has %d", len(p.Steps), len(rendering.Places))
	}
	verdict := RenderResult{
		Native: isNative(p), Places: placesOf(p, rendering, own),
		Program: placesOf(p, rendering, isCommand),
	}
	verdict.Elsewhere = !verdict.Native && len(verdict.Places) == 0 && len(s.Expected) > 0
	s.Expected = unreported(s.Expected, findings)
	hold(t, rendering, verdict.Places, s, view)
	return verdict
}

// unreported returns the values that no info finding about the sample names. A format may leave out a value that has no
// meaning on its operating system, if it says so.
func unreported(values []Spellings, findings report.Report) []Spellings {
	return slices.DeleteFunc(slices.Clone(values), func(v Spellings) bool {
		return slices.ContainsFunc(findings, func(f report.Finding) bool {
			return f.Severity == report.Info && f.Path.Under("documents[0]") &&
				slices.ContainsFunc(v, func(spelling string) bool { return strings.Contains(f.Message, spelling) })
		})
	})
}

// rendered asks several times.
func rendered(t *testing.T, r ports.Renderer, p plan.Plan) (ports.Rendering, report.Report) {
	t.Helper()
	first, findings, err := r.Render(t.Context(), p)
	if err != nil {
		t.Fatalf("Render: %v", err)
	}
	for range renderings {
		again, found, err := r.Render(t.Context(), p)
		same := again.Payload.Data.Equal(first.Payload.Data) && slices.Equal(again.Places, first.Places)
		if err != nil || !same || !slices.Equal(found, findings) {
			t.Fatalf("asked the same, the renderer gives another answer: %v", err)
		}
	}
	return first, findings
}

func refused(t *testing.T, p plan.Plan, rendering ports.Rendering, findings report.Report) RenderResult {
	t.Helper()
	if !rendering.Payload.Data.IsZero() {
		t.Error("a payload in spite of errors")
	}
	verdict := RenderResult{}
	for _, f := range findings {
		if f.Severity != report.Error {
			continue
		}
		about := func(d document.Document) bool { return f.Path.Under(d.Source.Path) }
		if !slices.ContainsFunc(p.Documents, about) {
			t.Errorf("the finding is about no document of the plan: %s", f)
		}
		if verdict.Rendered() {
			verdict.Refused = f
		}
	}
	return verdict
}

func isNative(p plan.Plan) bool {
	i := slices.IndexFunc(p.Documents, func(d document.Document) bool { return d.Source.Path == "documents[0]" })
	return i >= 0 && p.Native[i]
}

func own(p plan.Plan, s plan.Step) bool { return p.Source(s).Path == "documents[0]" }

func isCommand(_ plan.Plan, s plan.Step) bool {
	_, is := s.Do.(action.RunCommand)
	return is
}

// placesOf returns the places of the chosen steps, each once.
func placesOf(p plan.Plan, rendering ports.Rendering, chosen func(plan.Plan, plan.Step) bool) []string {
	var places []string
	for i, s := range p.Steps {
		if !chosen(p, s) {
			continue
		}
		for place := range strings.SplitSeq(rendering.Places[i], ", ") {
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
		t.Errorf("%s: neither refused nor rendered", s.Name)
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
			t.Errorf("%s: there is nothing at %q", s.Name, place)
		}
		text += found + "\n"
	}
	if missing := s.missing(text); len(missing) > 0 {
		if missing = s.missing(Decoded(text)); len(missing) > 0 {
			t.Errorf("%s: %v does not contain %q:\n%.3000s", s.Name, places, missing, text)
		}
	}
}

// missing returns the evidence of which the text has no spelling.
func (s Sample) missing(text string) []Spellings {
	var all []Spellings
	for _, e := range s.Expected {
		if !slices.ContainsFunc(e, func(spelling string) bool { return strings.Contains(text, spelling) }) {
			all = append(all, e)
		}
	}
	return all
}

// Discreet fails the test if a finding repeats a secret of the samples.
func Discreet(t *testing.T, findings report.Report) {
	t.Helper()
	for _, f := range findings {
		for _, s := range secrets() {
			if strings.Contains(fmt.Sprint(f), s) {
				t.Errorf("the finding at %s contains a secret", f.Path)
			}
		}
	}
}

// endingContext is a context that ends once its error has been read a number of times.
type endingContext struct {
	context.Context
	reads int
}

// Err returns context.Canceled once it was called so often.
func (c *endingContext) Err() error {
	if c.reads--; c.reads < 0 {
		return context.Canceled
	}
	return nil
}

// ends stops the renderer before each of its steps and snippets.
func ends(t *testing.T, r ports.Renderer, target osprofile.Target) {
	t.Helper()
	c := command(target).Document
	p := planOf(r, target, Sample{Document: worker(target), With: append(Machine(target), c, c)})
	const enough = 1 << 20
	whole := &endingContext{Context: t.Context(), reads: enough}
	if _, _, err := r.Render(whole, p); err != nil {
		t.Fatal(err)
	}
	read := enough - whole.reads
	if least := len(p.Steps); least < 2 || read < least {
		t.Errorf("a rendering of %d steps reads the error of the context %d times", least, read)
	}
	for reads := range read {
		rendering, findings, err := r.Render(&endingContext{Context: t.Context(), reads: reads}, p)
		if !errors.Is(err, context.Canceled) || !rendering.Payload.Data.IsZero() || findings != nil {
			t.Errorf("the context ends at check %d of %d, but rendering goes on: %v, %v", reads+1, read, findings, err)
		}
	}
}
