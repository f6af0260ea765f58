package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/app/template"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// renderTemplate inserts the agent's configuration, which contains all documents, into the user's own userdata. The
// renderer renders nothing.
func (s *Service) renderTemplate(ctx context.Context, job plan.Job, renderer ports.Renderer) (Result, error) {
	given := job.Delivery.Template
	parsed, found := template.Parse(given.Text, given.Path)
	if !found.HasErrors() {
		found = append(found, parsed.Exposed(given.Text, given.Path)...)
	}
	for i := range found {
		found[i].Message = given.Object + ": " + found[i].Message
	}
	found = append(found, ports.Supports(renderer, job.Target, "spec")...)
	p, findings, err := s.planner.Plan(ctx, job, delegate.Opaque, append(found, s.checkDelivery(job)...))
	result := Result{Plan: plan.Plan{Target: job.Target}, Delegated: p, Findings: findings, parts: job.Delivery.Parts}
	if err != nil || findings.HasErrors() {
		return result, err
	}
	text, err := s.execute(ctx, parsed, p.Documents, job.Delivery)
	if errors.Is(err, template.ErrTooLarge) {
		finding := report.Errorf(given.Path, "%s: with the configuration it has %v", given.Object, template.ErrTooLarge)
		result.Findings = append(result.Findings, finding.To(
			"insert the configuration fewer times, or let the machine fetch large files"))
		return result, nil
	}
	if err != nil {
		return result, err
	}
	result.Rendering.Payload = delivery.Payload{Format: job.Format, Data: secret.New(text), FileExtension: extension(text)}
	return s.deliver(ctx, job, renderer, result)
}

// execute returns the template's text with the agent's configuration.
func (s *Service) execute(ctx context.Context, t template.Template, docs []document.Document, o delivery.Options,
) ([]byte, error) {
	configuration, err := s.encoder.Start(ctx, docs, o)
	if err != nil {
		return nil, err
	}
	text, err := t.Execute(configuration.Reveal())
	if err != nil {
		return nil, fmt.Errorf("execute the template: %w", err)
	}
	return text, nil
}

// extension returns the usual file name extension of the user's userdata.
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
