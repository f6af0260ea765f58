package render

import (
	"context"
	"fmt"
	"slices"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/app/planner"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/habits"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/node"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// Result is the result of rendering a job.
type Result struct {
	// Plan is what the format renders. It is empty if there are error findings.
	Plan plan.Plan
	// Delegated is what the machine's agent applies, or empty without an agent.
	Delegated plan.Plan
	// Rendering has no payload if there are error findings.
	Rendering ports.Rendering
	// Stored is the object that a storage must contain before the payload can refer to it, or nil without a storage. The
	// payload is then the object's content, not encrypted.
	Stored *StoredObject
	// Size is the size of the payload.
	Size Size
	// Findings are in the order in which they were found.
	Findings report.Report
	// parts are those of the job's delivery.
	parts []delivery.Part
}

// Service renders. It is immutable, so that several goroutines can use it.
type Service struct {
	renderers map[delivery.Format]ports.Renderer
	planner   *planner.Planner
	wrapper   ports.Wrapper
	encoder   delegate.Encoder
	limits    map[string]int64
	// signatures may be nil.
	signatures ports.SignatureVerifier
}

// New returns a service with the given renderers and expanders. Two renderers of one format are an error, and so are
// two expanders of one kind unless both are selectors.
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

// Render renders the job. Mistakes in its documents are findings; an error means that a part of the program failed.
func (s *Service) Render(ctx context.Context, job plan.Job) (Result, error) {
	renderer, known := s.renderers[job.Format]
	if !known {
		return Result{Findings: report.Report{s.unknownFormat(job.Format)}}, nil
	}
	render := s.render
	if !job.Delivery.Storage.IsZero() {
		render = s.renderStored
	}
	result, err := render(ctx, job, renderer)
	result.Findings = redacted(result.Findings, job.Snippets)
	return result, err
}

// redacted returns the findings without the words of snippets that come from Secrets. Messages of the formats'
// libraries quote keys, which may be any text if the snippet is malformed.
func redacted(findings report.Report, snippets []plan.Snippet) report.Report {
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

// render renders the documents, or the userdata that starts the agent that applies them.
func (s *Service) render(ctx context.Context, job plan.Job, renderer ports.Renderer) (Result, error) {
	if job.Delivery.Template != nil && job.Delivery.Mode == delivery.ModeAgent {
		return s.renderTemplate(ctx, job, renderer)
	}
	result, err := s.plan(ctx, &job, renderer)
	if err != nil || result.Findings.HasErrors() {
		return result, err
	}
	rendering, findings, err := renderer.Render(ctx, result.Plan)
	if err != nil {
		return Result{}, fmt.Errorf("render %s: %w", job.Format, err)
	}
	result.Rendering = rendering
	result.Findings = append(result.Findings, findings...)
	return s.deliver(ctx, job, renderer, result)
}

// unknownFormat returns the finding for a format without a renderer. The API accepts any name, so that a new format
// needs no change there.
func (s *Service) unknownFormat(f delivery.Format) report.Finding {
	return report.Errorf("spec.format", "there is no format %q", f).
		To("use one of %v, or remove the field to use the operating system's default", s.Formats())
}

// plan checks the target and the delivery, plans the documents, and reduces the plan if an agent applies them. It
// completes the job's delivery with the agent's digest.
func (s *Service) plan(ctx context.Context, job *plan.Job, renderer ports.Renderer) (Result, error) {
	byAgent := job.Delivery.Mode == delivery.ModeAgent
	found := ports.Supports(renderer, job.Target, "spec")
	found = slices.Concat(found, habits.Check(*job), infrastructure.CheckFacts(job.Documents, job.Target),
		osprofile.CheckImage(job.Documents, job.Target), checkLogin(*job), s.pin(job))
	p, findings, err := s.planner.Plan(ctx, *job, func(d document.Document) bool {
		return renderer.Native(d, job.Target) || byAgent && delegate.Opaque(d)
	}, append(found, s.checkDelivery(*job)...))
	p.Agent, p.Compact = byAgent, job.Delivery.Location != nil
	p.Snippets = job.SnippetsFor(job.Format)
	p.Metadata = infrastructure.MetadataOf(job.Target.Infrastructure)
	p.EC2Launch = job.Delivery.Encoding == delivery.EncodingEC2Launch
	p.Initializes = slices.ContainsFunc(job.Documents, initializes)
	p.CloudConfig = infrastructure.CloudConfigOf(job.Target.Infrastructure)
	p.Placeholders = infrastructure.PlaceholdersOf(job.Target.Infrastructure)
	if r := job.Delivery.Reporting; r != nil && !r.Credential.IsZero() {
		p.Reporting = r
	}
	result := Result{Plan: p, Findings: findings, parts: job.Delivery.Parts}
	if err == nil && byAgent && !findings.HasErrors() {
		result.Plan, result.Delegated, err = s.encoder.Plan(ctx, p, job.Delivery, deliveryPath)
		if err == nil {
			findings, err = s.checkDelegated(ctx, result.Delegated, renderer)
			result.Findings = append(result.Findings, findings...)
		}
	}
	return result, err
}

// checkDelegated returns the findings of the format about the agent's part on Windows, where the agent applies what the
// format applies. On Linux it applies everything. The agent asks no metadata service.
func (s *Service) checkDelegated(ctx context.Context, moves plan.Plan, renderer ports.Renderer) (report.Report, error) {
	if moves.Target.Profile.Shell != osprofile.ShellPowerShell || len(moves.Steps) == 0 {
		return nil, nil
	}
	moves.Snippets, moves.Metadata, moves.Agent = nil, "", false
	_, findings, err := renderer.Render(ctx, moves)
	if err != nil {
		return nil, fmt.Errorf("check the steps of the agent: %w", err)
	}
	return findings, nil
}

// checkLogin returns a finding if no user can log in. Snippets may create users, so that a machine with snippets
// passes. Only cloud-init leaves out the default user of the image, and only if it creates the users itself.
func checkLogin(job plan.Job) report.Report {
	if len(job.SnippetsFor(job.Format)) > 0 {
		return nil
	}
	replaced := job.Format == delivery.FormatCloudInit && job.Delivery.Mode != delivery.ModeAgent
	return osprofile.CheckLogin(job.Documents, job.Target, replaced)
}

func initializes(d document.Document) bool {
	n, isNode := d.Value.(node.NodeConfig)
	return isNode && n.Role == node.RoleInit
}
