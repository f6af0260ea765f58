package render

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Request is what is to be said.
type Request struct {
	// Documents are in the order in which they were written.
	Documents []document.Document
	Target    osprofile.Target
	// Format is one of the service's formats.
	Format delivery.Format
}

// Result is what came of a request.
type Result struct {
	// Plan is empty if the documents have error findings.
	Plan plan.Plan
	// Rendering has no payload if there are error findings.
	Rendering ports.Rendering
	// Findings are in the order in which they were made.
	Findings report.Report
}

// Service renders. It does not change once it is made and may be used by several goroutines.
type Service struct {
	renderers map[delivery.Format]ports.Renderer
	experts   map[document.Kind][]expert
}

// expert is an expander and what it does, asked once.
type expert struct {
	ports.Expander
	// choosy is nil if the expander takes every document of its kinds.
	choosy ports.Choosy
	reads  []document.Kind
	name   string
}

// New returns a service with the given renderers and expanders. Two renderers of one format, and two expanders of one kind of
// which either is not choosy, are an error.
func New(renderers []ports.Renderer, expanders []ports.Expander) (*Service, error) {
	s := &Service{renderers: map[delivery.Format]ports.Renderer{}, experts: map[document.Kind][]expert{}}
	for _, r := range renderers {
		if _, dup := s.renderers[r.Format()]; dup {
			return nil, fmt.Errorf("two renderers of the format %s", r.Format())
		}
		s.renderers[r.Format()] = r
	}
	for _, e := range expanders {
		if err := s.register(e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Service) register(e ports.Expander) error {
	c := e.Describe()
	choosy, _ := e.(ports.Choosy)
	for _, kind := range c.Kinds {
		for _, other := range s.experts[kind] {
			if choosy == nil || other.choosy == nil || other.name == c.Name {
				return fmt.Errorf("two expanders of the kind %s: %s and %s", kind, other.name, c.Name)
			}
		}
		s.experts[kind] = append(s.experts[kind], expert{Expander: e, choosy: choosy, reads: c.Reads, name: c.Name})
	}
	return nil
}

// Formats returns the names of the formats, sorted.
func (s *Service) Formats() []delivery.Format {
	names := make([]delivery.Format, 0, len(s.renderers))
	for f := range s.renderers {
		names = append(names, f)
	}
	slices.Sort(names)
	return names
}

// Render says the documents in the format. Mistakes in the documents are findings; an error means that a part of the program
// failed.
func (s *Service) Render(ctx context.Context, r Request) (Result, error) {
	renderer, known := s.renderers[r.Format]
	if !known {
		return Result{}, fmt.Errorf("render: no renderer of the format %q", r.Format)
	}
	result, err := s.plan(ctx, r, renderer)
	if err != nil || result.Findings.HasErrors() {
		return result, err
	}
	rendering, findings, err := renderer.Render(result.Plan)
	if err != nil {
		return Result{}, fmt.Errorf("render %s: %w", r.Format, err)
	}
	result.Rendering = rendering
	result.Findings = append(result.Findings, findings...)
	if result.Findings.HasErrors() {
		result.Rendering.Payload = delivery.Payload{}
	}
	return result, nil
}

// Validate returns what Render finds.
func (s *Service) Validate(ctx context.Context, r Request) (report.Report, error) {
	result, err := s.Render(ctx, r)
	return result.Findings, err
}

// plan checks, orders and expands the documents. Mistakes of several documents are all found at once.
func (s *Service) plan(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	docs, findings := plan.Order(r.Documents)
	findings = append(findings, r.Target.Check(r.Format, "spec")...)
	for _, d := range docs {
		findings = append(findings, d.Check()...)
	}
	if findings.HasErrors() {
		return Result{Findings: findings}, nil
	}
	expansions := make([]plan.Expansion, len(docs))
	for i, d := range docs {
		if renderer.Native(d, r.Target) {
			expansions[i].Native = true
			continue
		}
		expansion, found, err := s.expand(ctx, d, docs, r.Target)
		if err != nil {
			return Result{}, err
		}
		expansions[i] = expansion
		findings = append(findings, found...)
	}
	if findings.HasErrors() {
		return Result{Findings: findings}, nil
	}
	return Result{Plan: plan.New(r.Target, docs, expansions), Findings: findings}, nil
}

func (s *Service) expand(ctx context.Context, d document.Document, docs []document.Document, t osprofile.Target) (plan.Expansion, report.Report, error) {
	e, claimed := s.expert(d, t)
	if !claimed {
		return plan.Expansion{}, report.Report{unclaimed(d)}, nil
	}
	actions, findings, err := e.Expand(ctx, ports.Expansion{Document: d, Others: others(e.reads, docs), Target: t})
	if err != nil {
		return plan.Expansion{}, nil, fmt.Errorf("expand %s with %s: %w", d.Source, e.name, err)
	}
	return plan.Expansion{Actions: actions}, findings, nil
}

// expert returns the expander of the document on the target.
func (s *Service) expert(d document.Document, t osprofile.Target) (expert, bool) {
	for _, e := range s.experts[d.Kind()] {
		if e.choosy == nil || e.choosy.Chooses(d, t) {
			return e, true
		}
	}
	return expert{}, false
}

func unclaimed(d document.Document) report.Finding {
	return report.Errorf(d.Source.Path, "nothing here knows what to do with a %s", d.Kind()).
		To("check the kind's spelling, or name the plugin that brings it")
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
