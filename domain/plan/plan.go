// Package plan orders documents and the actions that apply them.
//
// Steps are ordered by phase. Within a phase they have the order of the documents, and within a document the order of
// its actions. The registry of kinds contains each kind's phase. A step contains the index of its document.
package plan

import (
	"slices"

	"github.com/machineadm/machineadm/domain/action"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/facts"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
)

// PhaseOf returns the phase of a document. Documents of unknown kinds are in PhaseFile.
func PhaseOf(d document.Document) document.Phase {
	if c, ok := d.Value.(machine.Command); ok {
		return c.Phase
	}
	if k, known := Lookup(d.Kind()); known && k.Phase != 0 {
		return k.Phase
	}
	return document.PhaseFile
}

// Order returns the documents in the order in which they are planned. Each document of a singleton kind after the first
// is an error finding, which names both sources.
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
		r = append(r, report.Errorf(d.Source.Path, "another %s is at %s, and a machine has at most one", d.Kind(),
			singletons[first].Source).To("keep one of them"))
	}
	ordered := slices.Clone(docs)
	slices.SortStableFunc(ordered, func(a, b document.Document) int { return int(PhaseOf(a)) - int(PhaseOf(b)) })
	return ordered, r
}

// Step is one operation and the document that it applies.
type Step struct {
	// Phase is the phase in which the operation runs.
	Phase document.Phase
	// Document is the index into the plan's documents.
	Document int
	Do       action.Operation
}

// EnsuresGroup reports whether one of the steps creates the group. useradd(8) creates a group with the name of the
// user, and fails if it exists, so such a group must be the user's primary group.
func EnsuresGroup(steps []Step, name string) bool {
	return slices.ContainsFunc(steps, func(s Step) bool {
		op, isGroup := s.Do.(action.EnsureGroup)
		return isGroup && op.Name == name
	})
}

// Expansion is the result of expanding one document.
type Expansion struct {
	// Native means that the format renders the document itself. There are no actions.
	Native bool
	// Actions are in the order in which they run.
	Actions []action.Action
}

// Plan is the input of a renderer and of the agent: documents that the format renders natively, and steps for all
// others.
type Plan struct {
	Target osprofile.Target
	// Documents are in their order. Native is parallel to them and selects those that the renderer renders itself.
	Documents []document.Document
	Native    []bool
	// Steps are in the order in which they run.
	Steps []Step
	// Snippets are texts in the language of the format, which the renderer merges into its output.
	Snippets []Snippet
	// Facts means that documents for the agent contain facts. The service that provides facts must then run before the
	// agent starts. For facts in the plan's steps see UsesFacts.
	Facts bool
	// Agent means that the steps start the agent, which applies all other documents.
	Agent bool
	// CloudConfig is the dialect of #cloud-config that reaches the machine.
	CloudConfig delivery.CloudConfig
	// Placeholders match text that the infrastructure provider replaces in userdata. Renderers write contents with such
	// text unchanged, if their format can.
	Placeholders delivery.Placeholders
	// EC2Launch means that EC2Launch runs the payload, which must be a PowerShell script that restarts Windows itself.
	EC2Launch bool
	// Metadata is the metadata service that programs on the machine can ask for facts.
	Metadata facts.Service
	// Initializes means that the machine initializes the cluster.
	Initializes bool
	// Compact requests the shortest output. It is set for the stub of a configuration that is in a storage.
	Compact bool
	// Reporting contains the address and the credential for reports, which the bootstrap program writes to
	// delivery.ReportPath. It is nil if the machine does not report.
	Reporting *delivery.Reporting
}

// New returns the plan for documents that Order has sorted. The expansions are parallel to them.
func New(target osprofile.Target, docs []document.Document, expansions []Expansion) Plan {
	p := Plan{Target: target, Documents: docs, Native: make([]bool, len(docs))}
	total := 0
	for _, e := range expansions {
		total += len(e.Actions)
	}
	p.Steps = make([]Step, 0, total)
	for i, e := range expansions {
		p.Native[i] = e.Native
		p.addSteps(i, e.Actions)
	}
	p.sortSteps()
	return p
}

// addSteps adds the actions of a document after all other steps.
func (p *Plan) addSteps(document int, actions []action.Action) {
	for _, a := range actions {
		p.Steps = append(p.Steps, Step{Phase: a.In(), Document: document, Do: a.Do})
	}
}

// sortSteps sorts the steps by phase.
func (p *Plan) sortSteps() {
	slices.SortStableFunc(p.Steps, func(a, b Step) int { return int(a.Phase) - int(b.Phase) })
}

// Source returns the source of the step's document.
func (p Plan) Source(s Step) document.Source { return p.Documents[s.Document].Source }

// SourcedStep is a step with the source of its document.
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

// Without returns the plan without one of its documents and that document's steps.
func (p Plan) Without(document int) Plan {
	return p.Only(func(i int) bool { return i != document })
}

// Only returns the plan with only the documents whose index matches, and their steps.
func (p Plan) Only(matches func(index int) bool) Plan {
	rest := p
	rest.Documents, rest.Native, rest.Steps = []document.Document{}, []bool{}, make([]Step, 0, len(p.Steps))
	newIndex := make([]int, len(p.Documents))
	for i := range p.Documents {
		newIndex[i] = -1
		if matches(i) {
			newIndex[i] = len(rest.Documents)
			rest.Documents = append(rest.Documents, p.Documents[i])
			rest.Native = append(rest.Native, p.Native[i])
		}
	}
	for _, s := range p.Steps {
		if s.Document = newIndex[s.Document]; s.Document >= 0 {
			rest.Steps = append(rest.Steps, s)
		}
	}
	return rest
}

// With returns the plan with one more document, whose steps come last in their phases.
func (p Plan) With(d document.Document, actions []action.Action) Plan {
	more := p
	more.Documents = append(slices.Clone(p.Documents), d)
	more.Native = append(slices.Clone(p.Native), false)
	more.Steps = slices.Clone(p.Steps)
	more.addSteps(len(p.Documents), actions)
	more.sortSteps()
	return more
}

// In returns the steps of the given phases, in the plan's order.
func (p Plan) In(phases ...document.Phase) []Step {
	var steps []Step
	for _, s := range p.Steps {
		if slices.Contains(phases, s.Phase) {
			steps = append(steps, s)
		}
	}
	return steps
}

// UsesFacts reports whether a step writes a file or a unit that contains facts.
func (p Plan) UsesFacts() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return len(action.Facts(s.Do)) > 0 })
}

// Operations returns the operations of type T in the plan's steps, in their order.
func Operations[T action.Operation](p Plan) []T {
	var found []T
	for _, s := range p.Steps {
		if op, ok := s.Do.(T); ok {
			found = append(found, op)
		}
	}
	return found
}
