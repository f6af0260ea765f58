package render

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// agentName replaces the name of the expander in the explanation of documents that the machine's agent applies.
const agentName = "agent"

// Explanation explains how a document is applied.
type Explanation struct {
	Kind   document.Kind
	Source document.Source
	// Native means that the format itself applies the document.
	Native bool
	// Expander is the name of the expander, or empty if Native.
	Expander string
	// Actions are in the order in which they run.
	Actions []ActionExplanation
}

// ActionExplanation is an action, its phase, and its place in the output.
type ActionExplanation struct {
	Phase document.Phase
	// Summary is one line without secrets.
	Summary string
	// Place is the place in the output, or empty if the renderer does not report it.
	Place string
}

// Explain explains each document of a result, in the order of the plan.
func (s *Service) Explain(r Result) []Explanation {
	out := make([]Explanation, len(r.Plan.Documents))
	for i, d := range r.Plan.Documents {
		out[i] = Explanation{Kind: d.Kind(), Source: d.Source, Native: r.Plan.Native[i]}
		if !out[i].Native {
			out[i].Expander = s.planner.Expander(d, r.Plan.Target)
		}
	}
	addActions(out, r.Plan.Steps, r.Rendering.Places)
	return slices.Concat(out, explainDelegated(r))
}

// explainDelegated explains the agent's documents. The agent may know more about the machine, and plan differently.
func explainDelegated(r Result) []Explanation {
	out := make([]Explanation, len(r.Delegated.Documents))
	for i, d := range r.Delegated.Documents {
		out[i] = Explanation{Kind: d.Kind(), Source: d.Source, Expander: agentName}
	}
	addActions(out, r.Delegated.Steps, nil)
	return out
}

func addActions(out []Explanation, steps []plan.Step, places []string) {
	for i, step := range steps {
		a := ActionExplanation{Phase: step.Phase, Summary: step.Do.Summary()}
		if i < len(places) {
			a.Place = places[i]
		}
		at := &out[step.Document]
		at.Actions = append(at.Actions, a)
	}
}
