package render

import (
	"slices"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
)

// agentName is the expander of what is left to the machine's agent.
const agentName = "agent"

// Explained is a document and what becomes of it.
type Explained struct {
	Kind   document.Kind
	Source document.Source
	// Native says that the format says the document itself.
	Native bool
	// Expander is the name of the expander; empty if Native.
	Expander string
	// Actions are in the order in which they are carried out.
	Actions []ExplainedAction
}

// ExplainedAction is what is done, when, and where the format says it.
type ExplainedAction struct {
	Phase document.Phase
	// Summary is one line without secrets.
	Summary string
	// Says is the place in the output; empty if the renderer does not tell.
	Says string
}

// Explain tells what becomes of each document of a result, in the order of the plan.
func (s *Service) Explain(r Result) []Explained {
	out := make([]Explained, len(r.Plan.Documents))
	for i, d := range r.Plan.Documents {
		out[i] = Explained{Kind: d.Kind(), Source: d.Source, Native: r.Plan.Native[i]}
		if !out[i].Native {
			out[i].Expander = s.planner.Expander(d, r.Plan.Target)
		}
	}
	for i, step := range r.Plan.Steps {
		at := &out[step.Document]
		at.Actions = append(at.Actions, explainStep(step, i, r.Rendering.Says))
	}
	return slices.Concat(out, explainDelegated(r))
}

// explainDelegated tells what the agent does, by what is known here of the machine.
func explainDelegated(r Result) []Explained {
	out := make([]Explained, len(r.Delegated.Documents))
	for i, d := range r.Delegated.Documents {
		out[i] = Explained{Kind: d.Kind(), Source: d.Source, Expander: agentName}
	}
	for i, step := range r.Delegated.Steps {
		at := &out[step.Document]
		at.Actions = append(at.Actions, explainStep(step, i, nil))
	}
	return out
}

func explainStep(step plan.Step, i int, says []string) ExplainedAction {
	a := ExplainedAction{Phase: step.Phase, Summary: step.Do.Summary()}
	if i < len(says) {
		a.Says = says[i]
	}
	return a
}
