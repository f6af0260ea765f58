// Package planner turns documents into a plan: it checks them, puts them into their order, and has each expanded that
// nobody says natively. The controller plans for a format, which says some documents itself; the agent plans for the
// machine it is on.
package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/hardening"
	"github.com/machineadm/machineadm/domain/machine"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/precedence"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Planner makes plans. It does not change once it is made and may be used by several goroutines.
type Planner struct {
	experts    map[document.Kind][]expert
	precedence precedence.Table
}

// expert is an expander and what it does, asked once.
type expert struct {
	ports.Expander
	// choosy is nil if the expander takes every document of its kinds.
	choosy ports.Choosy
	reads  []document.Kind
	name   string
}

// New returns a planner with the given expanders. Two expanders of one kind of which either is not choosy are an error,
// and so are expanders that are to come before themselves.
func New(expanders []ports.Expander) (*Planner, error) {
	p := &Planner{experts: map[document.Kind][]expert{}, precedence: precedence.Table{}}
	for _, e := range expanders {
		if err := p.register(e); err != nil {
			return nil, err
		}
	}
	if cycle := p.precedence.Cycle(); cycle != nil {
		return nil, fmt.Errorf("the expanders ask for an order that there is not: %s", strings.Join(cycle, " before "))
	}
	return p, nil
}

func (p *Planner) register(e ports.Expander) error {
	c := e.Describe()
	choosy, _ := e.(ports.Choosy)
	note(p.precedence, c)
	for _, kind := range c.Kinds {
		for _, other := range p.experts[kind] {
			if choosy == nil || other.choosy == nil || other.name == c.Name {
				return fmt.Errorf("two expanders of the kind %s: %s and %s", kind, other.name, c.Name)
			}
		}
		p.experts[kind] = append(p.experts[kind], expert{Expander: e, choosy: choosy, reads: c.Reads, name: c.Name})
	}
	return nil
}

// Request is what is to be planned.
type Request struct {
	// Documents are in the order in which they were written.
	Documents []document.Document
	Target    osprofile.Target
	// Native reports which documents need no expander.
	Native func(document.Document) bool
	// Found is what was found of the target before. With errors in it nothing is expanded.
	Found report.Report
}

// Plan checks, orders and expands the documents. Mistakes of several documents are all found at once, and with error
// findings the plan is empty. An error means that an expander failed.
func (p *Planner) Plan(ctx context.Context, r Request) (plan.Plan, report.Report, error) {
	docs, findings := hardening.Expand(r.Documents, r.Target)
	docs, found := plan.Order(docs)
	findings = append(append(findings, found...), r.Found...)
	for _, d := range docs {
		findings = append(findings, d.Check()...)
	}
	if findings.HasErrors() {
		return plan.Plan{}, findings, nil
	}
	if c, _, given := document.First[machine.ContainerdConfig](docs); given && c.Version != 0 {
		r.Target.ContainerdVersion = c.Version // Wherever the document came from.
	}
	docs = p.order(docs, r.Target)
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		if r.Native(d) {
			expansions[i].Native = true
			continue
		}
		expansion, found, err := p.expand(ctx, d, docs, r.Target)
		if err != nil {
			return plan.Plan{}, nil, err
		}
		expansions[i] = expansion
		findings = append(findings, found...)
	}
	if findings.HasErrors() {
		return plan.Plan{}, findings, nil
	}
	return plan.New(r.Target, docs, expansions), findings, nil
}

func (p *Planner) expand(ctx context.Context, d document.Document, docs []document.Document,
	t osprofile.Target,
) (plan.Expansion, report.Report, error) {
	e, claimed := p.expert(d, t)
	if !claimed {
		return plan.Expansion{}, report.Report{unclaimed(d)}, nil
	}
	actions, findings, err := e.Expand(ctx, ports.Expansion{Document: d, Others: others(e.reads, docs), Target: t})
	if err != nil {
		return plan.Expansion{}, nil, fmt.Errorf("expand %s with %s: %w", d.Source, e.name, err)
	}
	return plan.Expansion{Actions: actions}, findings, nil
}

// Expander returns the name of the expander of the document on the target: "" if there is none.
func (p *Planner) Expander(d document.Document, t osprofile.Target) string {
	e, _ := p.expert(d, t)
	return e.name
}

func (p *Planner) expert(d document.Document, t osprofile.Target) (expert, bool) {
	for _, e := range p.experts[d.Kind()] {
		if e.choosy == nil || e.choosy.Chooses(d, t) {
			return e, true
		}
	}
	return expert{}, false
}

func unclaimed(d document.Document) report.Finding {
	f := report.Errorf(d.Source.Path, "nothing here knows what to do with a %s", d.Kind()).
		To("check the kind's spelling, or name the plugin that brings it")
	f.Line, f.Column = d.Source.Line, d.Source.Column
	return f
}

// others returns the documents of the kinds, in their order.
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
