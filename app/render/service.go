package render

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/app/planner"
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
	// Format is one of the service's formats; another is an error finding.
	Format delivery.Format
}

// Result is what came of a request.
type Result struct {
	// Plan is what the format says. It is empty if the documents have error findings.
	Plan plan.Plan
	// Delegated is what the machine's agent brings about; empty without an agent.
	Delegated plan.Plan
	// Rendering has no payload if there are error findings.
	Rendering ports.Rendering
	// Stored is what has to be stored before the machine's payload can say where that is; nil if nothing has to. The
	// payload is then what would be stored, without encryption.
	Stored *Stored
	// Size is that of the payload.
	Size Size
	// Findings are in the order in which they were made.
	Findings report.Report
}

// Service renders. It does not change once it is made and may be used by several goroutines.
type Service struct {
	renderers map[delivery.Format]ports.Renderer
	planner   *planner.Planner
	wrapper   ports.Wrapper
	carrier   delegate.Carrier
	limits    map[string]int64
	// signatures may be nil.
	signatures ports.Signatures
}

// New returns a service with the given renderers and expanders. Two renderers of one format, and two expanders of one
// kind of which either is not choosy, are an error.
func New(renderers []ports.Renderer, expanders []ports.Expander, options ...Option) (*Service, error) {
	p, err := planner.New(expanders)
	if err != nil {
		return nil, err
	}
	s := &Service{renderers: map[delivery.Format]ports.Renderer{}, planner: p}
	for _, r := range renderers {
		if _, dup := s.renderers[r.Format()]; dup {
			return nil, fmt.Errorf("two renderers of the format %s", r.Format())
		}
		s.renderers[r.Format()] = r
	}
	for _, change := range options {
		change(s)
	}
	return s, nil
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

// Render says the documents in the format. Mistakes in the documents are findings; an error means that a part of the
// program failed.
func (s *Service) Render(ctx context.Context, r Request) (Result, error) {
	renderer, known := s.renderers[r.Format]
	if !known {
		return Result{Findings: report.Report{s.unknown(r.Format)}}, nil
	}
	render := s.render
	if !r.Target.Delivery.Storage.IsZero() {
		render = s.renderStored
	}
	result, err := render(ctx, r, renderer)
	result.Findings = concealed(result.Findings, r.Target.Snippets)
	return result, err
}

// concealed returns the findings without the words of snippets that came from Secrets. What the languages' libraries
// report has keys, which a mistake may make of any text.
func concealed(findings report.Report, snippets []osprofile.SourcedSnippet) report.Report {
	for _, s := range snippets {
		here := func(f report.Finding) bool { return f.Path == s.Source.Path }
		if !s.Secret || !slices.ContainsFunc(findings, here) {
			continue
		}
		conceal := report.Conceal(s.Text)
		for i, f := range findings {
			if here(f) {
				findings[i] = conceal(f)
			}
		}
	}
	return findings
}

// render says the documents, or what starts the agent that brings them about.
func (s *Service) render(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	if r.Target.Delivery.Template != nil && r.Target.Delivery.Mode == delivery.ModeAgent {
		return s.templated(ctx, r, renderer)
	}
	result, err := s.plan(ctx, r, renderer)
	if err != nil || result.Findings.HasErrors() {
		return result, err
	}
	rendering, findings, err := renderer.Render(ctx, result.Plan)
	if err != nil {
		return Result{}, fmt.Errorf("render %s: %w", r.Format, err)
	}
	result.Rendering = rendering
	result.Findings = append(result.Findings, findings...)
	if !result.Findings.HasErrors() {
		err = s.deliver(ctx, r, renderer, &result)
	}
	if err != nil || result.Findings.HasErrors() {
		result.Rendering.Payload = delivery.Payload{}
	}
	return result, err
}

// unknown says that there is no such format. The API takes any name, so that a new format needs no change there.
func (s *Service) unknown(f delivery.Format) report.Finding {
	return report.Errorf("spec.format", "there is no format %q", f).
		To("use one of %v, or leave it to the operating system", s.Formats())
}

// plan holds the target against the format, plans, and leaves to the agent what is the agent's.
func (s *Service) plan(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	byAgent := r.Target.Delivery.Mode == delivery.ModeAgent
	refused := s.pin(&r.Target)
	p, findings, err := s.planner.Plan(ctx, planner.Request{
		Documents: r.Documents,
		Target:    r.Target,
		Native: func(d document.Document) bool {
			return renderer.Native(d, r.Target) || byAgent && delegate.Opaque(d)
		},
		Found: slices.Concat(ports.Suits(renderer, r.Target, "spec"), refused, s.checkDelivery(r.Target, r.Format)),
	})
	result := Result{Plan: p, Findings: findings}
	if err == nil && byAgent && !findings.HasErrors() {
		result.Plan, result.Delegated, err = s.carrier.Plan(ctx, p, deliveryPath)
	}
	return result, err
}
