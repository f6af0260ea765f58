// Package plan turns documents into an ordered list of steps.
//
// Order is phase, then position: the one table of kinds says in which phase a document stands; within a phase the order
// of the documents counts, and within a document the order of its actions. A step remembers the document that it comes
// from.
package plan

import (
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// PhaseOf returns the phase of a document. Documents of unknown kinds are in the phase of files.
func PhaseOf(d document.Document) document.Phase {
	if c, ok := d.Value.(machine.Command); ok {
		return c.Phase
	}
	if k, known := Lookup(d.Kind()); known && k.Phase != 0 {
		return k.Phase
	}
	return document.PhaseFile
}

// Order returns the documents in the order in which they are planned, and an error finding for each document of a
// singleton kind after the first, which names both sources.
func Order(docs []document.Document) ([]document.Document, report.Report) {
	var r report.Report
	var singletons []document.Document
	for _, d := range docs {
		if k, _ := Lookup(d.Kind()); !k.Singleton {
			continue
		}
		first := slices.IndexFunc(singletons, func(s document.Document) bool { return s.Kind() == d.Kind() })
		if first < 0 {
			singletons = append(singletons, d)
			continue
		}
		r = append(r, report.Errorf(d.Source.Path, "a second %s; the first is at %s", d.Kind(), singletons[first].Source).
			To("keep one of them"))
	}
	ordered := slices.Clone(docs)
	slices.SortStableFunc(ordered, func(a, b document.Document) int { return int(PhaseOf(a)) - int(PhaseOf(b)) })
	return ordered, r
}

// Step is one action and the document that it comes from.
type Step struct {
	// Phase is where the action is carried out.
	Phase document.Phase
	// Document is the index into the plan's documents.
	Document int
	Do       action.Operation
}

// Expansion is what a document became.
type Expansion struct {
	// Native says that the format says the document itself, so that no actions were made of it.
	Native bool
	// Actions are in their order.
	Actions []action.Action
}

// Plan is what a renderer says, or an agent does: documents that the format says natively, and steps for all others.
type Plan struct {
	Target osprofile.Target
	// Documents are in their order; Native tells which of them are left to the renderer.
	Documents []document.Document
	Native    []bool
	// Steps are in the order in which they are carried out.
	Steps []Step
	// Facts says that what the agent brings about asks for facts, so that what tells them has to have run before the
	// agent. The plan's own steps show that themselves.
	Facts bool
}

// New lays out the plan for documents that Order has sorted; expansions are parallel to them.
func New(target osprofile.Target, docs []document.Document, expansions []Expansion) Plan {
	p := Plan{Target: target, Documents: docs, Native: make([]bool, len(docs))}
	total := 0
	for _, e := range expansions {
		total += len(e.Actions)
	}
	p.Steps = make([]Step, 0, total)
	for i, e := range expansions {
		p.Native[i] = e.Native
		for _, a := range e.Actions {
			p.Steps = append(p.Steps, Step{Phase: a.In(), Document: i, Do: a.Do})
		}
	}
	slices.SortStableFunc(p.Steps, func(a, b Step) int { return int(a.Phase) - int(b.Phase) })
	return p
}

// Source returns where the step's document was written.
func (p Plan) Source(s Step) document.Source { return p.Documents[s.Document].Source }

// SourcedStep is a step and where its document was written.
type SourcedStep struct {
	Step
	Source document.Source
}

// Sourced returns the steps with their sources.
func (p Plan) Sourced() []SourcedStep {
	steps := make([]SourcedStep, len(p.Steps))
	for i, s := range p.Steps {
		steps[i] = SourcedStep{Step: s, Source: p.Source(s)}
	}
	return steps
}

// Without returns the plan without one of its documents and the steps that come from it.
func (p Plan) Without(document int) Plan {
	return p.Only(func(i int) bool { return i != document })
}

// Only returns the plan of the documents for whose index keep says so, and of the steps that come from them.
func (p Plan) Only(keep func(int) bool) Plan {
	rest := Plan{
		Target: p.Target, Documents: []document.Document{}, Native: []bool{}, Steps: make([]Step, 0, len(p.Steps)),
		Facts: p.Facts,
	}
	moved := make([]int, len(p.Documents))
	for i := range p.Documents {
		moved[i] = -1
		if keep(i) {
			moved[i] = len(rest.Documents)
			rest.Documents = append(rest.Documents, p.Documents[i])
			rest.Native = append(rest.Native, p.Native[i])
		}
	}
	for _, s := range p.Steps {
		if s.Document = moved[s.Document]; s.Document >= 0 {
			rest.Steps = append(rest.Steps, s)
		}
	}
	return rest
}

// With returns the plan with one more document, whose actions come last in their phases.
func (p Plan) With(d document.Document, actions []action.Action) Plan {
	more := p
	more.Documents = append(slices.Clone(p.Documents), d)
	more.Native = append(slices.Clone(p.Native), false)
	more.Steps = slices.Clone(p.Steps)
	for _, a := range actions {
		more.Steps = append(more.Steps, Step{Phase: a.In(), Document: len(p.Documents), Do: a.Do})
	}
	slices.SortStableFunc(more.Steps, func(a, b Step) int { return int(a.Phase) - int(b.Phase) })
	return more
}

// In returns the steps of the given phases, in their order.
func (p Plan) In(phases ...document.Phase) []Step {
	var steps []Step
	for _, s := range p.Steps {
		if slices.Contains(phases, s.Phase) {
			steps = append(steps, s)
		}
	}
	return steps
}

// AsksFacts reports whether a step writes what only the machine knows.
func (p Plan) AsksFacts() bool {
	return slices.ContainsFunc(Operations[action.WriteFile](p), func(w action.WriteFile) bool {
		_, static := w.Content.Static()
		return !static
	})
}

// Operations returns the operations of type T among the plan's steps, in their order.
func Operations[T action.Operation](p Plan) []T {
	var found []T
	for _, s := range p.Steps {
		if op, ok := s.Do.(T); ok {
			found = append(found, op)
		}
	}
	return found
}
