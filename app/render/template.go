package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/app/template"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// templated puts the agent's configuration, which is all of the documents, into the user's own text. What the format
// would say of the machine is left to that text.
func (s *Service) templated(ctx context.Context, r Request, renderer ports.Renderer) (Result, error) {
	given := r.Target.Delivery.Template
	parsed, found := template.Parse(given.Text, given.Path)
	if !found.HasErrors() {
		found = append(found, parsed.Exposed(given.Text, given.Path)...)
	}
	for i := range found {
		found[i].Message = given.Object + ": " + found[i].Message
	}
	p, findings, err := s.planner.Plan(ctx, planner.Request{
		Documents: r.Documents, Target: r.Target, Native: delegate.Opaque,
		Found: append(found, append(ports.Suits(renderer, r.Target, "spec"), s.checkDelivery(r.Target, r.Format)...)...),
	})
	result := Result{Plan: plan.Plan{Target: r.Target}, Delegated: p, Findings: findings}
	if err != nil || findings.HasErrors() {
		return result, err
	}
	text, err := s.place(ctx, parsed, p.Documents, r.Target.Delivery)
	if errors.Is(err, template.ErrTooLarge) {
		finding := report.Errorf(given.Path, "%s: with the configuration it has %v", given.Object, template.ErrTooLarge)
		result.Findings = append(result.Findings, finding.To(
			"place the configuration fewer times, or make the machine fetch large files"))
		return result, nil
	}
	if err != nil {
		return result, err
	}
	result.Rendering.Payload = delivery.Payload{Format: r.Format, Data: secret.New(text), FileExtension: extension(text)}
	if err = s.deliver(ctx, r, renderer, &result); err != nil || result.Findings.HasErrors() {
		result.Rendering.Payload = delivery.Payload{}
	}
	return result, err
}

// place returns the template with what the agent reads in its places.
func (s *Service) place(ctx context.Context, t template.Template, docs []document.Document,
	o delivery.Options,
) ([]byte, error) {
	configuration, err := s.carrier.Start(ctx, docs, o)
	if err != nil {
		return nil, err
	}
	text, err := t.Execute(configuration.Reveal())
	if err != nil {
		return nil, fmt.Errorf("fill in the template: %w", err)
	}
	return text, nil
}

// extension returns the usual file name extension of a text in the user's own language.
func extension(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("#cloud-config")):
		return ".yaml"
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")):
		return ".ign"
	case bytes.HasPrefix(text, []byte("#!")):
		return ".sh"
	default:
		return ".txt"
	}
}
