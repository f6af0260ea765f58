// Package planner converts documents to a plan: it checks and orders them, and expands those that the output format
// does not support itself. The controller plans for a format; the agent plans for the machine that it runs on.
package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/precedence"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Planner creates plans. It is immutable, so that several goroutines can use it.
type Planner struct {
	expanders  map[document.Kind][]expander
	precedence precedence.Table
}

// expander is an expander with its capability.
type expander struct {
	ports.Expander
	// selector is nil if the expander expands every document of its kinds.
	selector ports.Selector
	reads    []document.Kind
	name     string
}

// New returns a planner with the given expanders. It returns an error if two expanders have the same kind, unless both
// are selectors, and if the requested order has a cycle.
func New(expanders []ports.Expander) (*Planner, error) {
	p := &Planner{expanders: map[document.Kind][]expander{}, precedence: precedence.Table{}}
	for _, e := range expanders {
		if err := p.register(e); err != nil {
			return nil, err
		}
	}
	if cycle := p.precedence.Cycle(); cycle != nil {
		return nil, fmt.Errorf("the order of the expanders has a cycle: %s", strings.Join(cycle, " before "))
	}
	return p, nil
}

func (p *Planner) register(e ports.Expander) error {
	c := e.Describe()
	selector, _ := e.(ports.Selector)
	addOrder(p.precedence, c)
	for _, kind := range c.Kinds {
		for _, other := range p.expanders[kind] {
			if selector == nil || other.selector == nil || other.name == c.Name {
				return fmt.Errorf("two expanders of the kind %s: %s and %s", kind, other.name, c.Name)
			}
		}
		p.expanders[kind] = append(p.expanders[kind], expander{Expander: e, selector: selector, reads: c.Reads, name: c.Name})
	}
	return nil
}

// Plan checks, orders and expands the job's documents. Native selects the documents that the format renders itself.
// Earlier findings are included in the result, and no document is expanded if they contain errors. Plan checks all
// documents before it returns; with error findings the plan is empty. An error means that an expander failed.
func (p *Planner) Plan(ctx context.Context, job plan.Job, native func(document.Document) bool, earlier report.Report,
) (plan.Plan, report.Report, error) {
	target := job.Target
	docs, findings := hardening.Expand(job.Documents, target)
	docs, unknown := infrastructure.ResolveDevices(docs, target)
	docs, found := plan.Order(osprofile.AddRuntime(docs, target))
	findings = slices.Concat(findings, unknown, found, earlier, plan.CheckPlaces(docs))
	for _, d := range docs {
		findings = append(findings, d.Check()...)
	}
	if findings.HasErrors() {
		return plan.Plan{}, findings, nil
	}
	if c, _, given := document.First[machine.ContainerdConfig](docs); given && c.Version != 0 {
		target.ContainerdVersion = c.Version
	}
	docs = p.order(docs, target)
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		if native(d) {
			expansions[i].Native = true
			continue
		}
		expansion, found, err := p.expand(ctx, d, docs, target)
		if err != nil {
			return plan.Plan{}, nil, err
		}
		expansions[i] = expansion
		findings = append(findings, found...)
	}
	if findings.HasErrors() {
		return plan.Plan{}, findings, nil
	}
	return plan.New(target, docs, expansions), findings, nil
}

func (p *Planner) expand(ctx context.Context, d document.Document, docs []document.Document, t osprofile.Target,
) (plan.Expansion, report.Report, error) {
	e, found := p.expander(d, t)
	if !found {
		return plan.Expansion{}, report.Report{noExpander(d)}, nil
	}
	actions, findings, err := e.Expand(ctx, ports.Expansion{Document: d, Others: others(e.reads, docs), Target: t})
	if err != nil {
		return plan.Expansion{}, nil, fmt.Errorf("expand %s with %s: %w", d.Source, e.name, err)
	}
	return plan.Expansion{Actions: actions}, findings, nil
}

// Expander returns the name of the document's expander on the target. It is empty if there is none.
func (p *Planner) Expander(d document.Document, t osprofile.Target) string {
	e, _ := p.expander(d, t)
	return e.name
}

func (p *Planner) expander(d document.Document, t osprofile.Target) (expander, bool) {
	for _, e := range p.expanders[d.Kind()] {
		if e.selector == nil || e.selector.Matches(d, t) {
			return e, true
		}
	}
	return expander{}, false
}

func noExpander(d document.Document) report.Finding {
	f := report.Errorf(d.Source.Path, "no plugin expands documents of the kind %s", d.Kind()).
		To("check the spelling of the kind, or install and name the plugin that expands it")
	f.Line, f.Column = d.Source.Line, d.Source.Column
	return f
}

// others returns the documents of the kinds, in the order of docs.
func others(kinds []document.Kind, docs []document.Document) []document.Document {
	if len(kinds) == 0 {
		return nil
	}
	var found []document.Document
	for _, d := range docs {
		if slices.Contains(kinds, d.Kind()) {
			found = append(found, d)
		}
	}
	return found
}
