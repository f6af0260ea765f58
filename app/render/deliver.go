package render

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// deliveryPath is the field with the delivery options.
const deliveryPath report.Path = "spec.delivery"

// Option configures a service.
type Option func(*Service)

// WithWrapper adds envelopes. Without it, payloads that need an envelope are refused.
func WithWrapper(w ports.Wrapper) Option { return func(s *Service) { s.wrapper = w } }

// WithCodec adds configurations for agents. Without it, they are refused.
func WithCodec(c ports.Codec) Option { return func(s *Service) { s.encoder.Codec = c } }

// WithEncrypter adds encryption of the configuration for agents. Without it, encryption is refused.
func WithEncrypter(e ports.Encrypter) Option { return func(s *Service) { s.encoder.Encrypter = e } }

// WithSignatures adds the digests of agents from signed releases. Without it, they are refused.
func WithSignatures(v ports.SignatureVerifier) Option { return func(s *Service) { s.signatures = v } }

// WithLimits replaces the size limits of platforms, in bytes. The keys are kinds of infrastructure machines or machine
// pools.
func WithLimits(limits map[string]int64) Option { return func(s *Service) { s.limits = limits } }

// Size is the size of a payload, in bytes.
type Size struct {
	// Rendered is the size of the renderer's output. Published is its size in the Secret, with the envelope.
	Rendered, Published int
	// Counted is the size that the platform counts, and Limit the platform's limit.
	Counted, Limit int
	// TooLarge means that the platform would refuse the payload, which is then not published.
	TooLarge bool
	// Shares are the largest parts of a payload that is too large, the largest first, as sizes of the rendered bytes.
	Shares []Share
}

// packer chooses the envelope of a payload.
type packer struct {
	wrapper ports.Wrapper
	job     *plan.Job
	version string
	// bare is the rendered payload. inner also contains the parts of the job.
	bare, inner delivery.Payload
	limit       infrastructure.Limit
}

// checkDelivery checks the delivery options for the job's format and infrastructure.
func (s *Service) checkDelivery(job plan.Job) report.Report {
	t, f, o := job.Target, job.Format, job.Delivery
	found := append(infrastructure.Check(t.Infrastructure, f, "spec.format"), s.checkAgent(job)...)
	if f == delivery.FormatButane {
		return found
	}
	found = append(found, o.Check(f, t.VersionOf(f), deliveryPath)...)
	found = append(found, infrastructure.CheckEnvelope(t.Infrastructure, f, o, deliveryPath)...)
	if s.wrapper == nil && (o.Compression == delivery.CompressionGzip || o.Encoding != "" || len(o.Parts) > 0) {
		found = append(found, report.Errorf(deliveryPath, "this program adds no envelopes").
			To("remove compression, encoding and parts"))
	}
	return found
}

// checkAgent checks the options that need an agent.
func (s *Service) checkAgent(job plan.Job) report.Report {
	o := job.Delivery
	found := s.encoder.Check(o, deliveryPath)
	if o.Template != nil && o.Mode != delivery.ModeAgent {
		found = append(found, report.Errorf(o.Template.Path, "a template is only used with the delivery mode Agent").
			To("set %s to %s, or remove the reference", deliveryPath.Field("mode"), delivery.ModeAgent))
	}
	switch {
	case o.Mode != delivery.ModeAgent:
		return found
	case s.encoder.Codec == nil:
		return report.Report{report.Errorf(deliveryPath.Field("mode"),
			"this program does not write configurations for the agent").To("use Native")}
	default:
		return append(found, delegate.Check(job.Target, o.Agent, deliveryPath)...)
	}
}

// deliver completes the rendered payload for publication: it sets the key that the infrastructure provider reads, adds
// the requested or needed envelope, and checks the size. With error findings the result has no payload.
func (s *Service) deliver(ctx context.Context, job plan.Job, renderer ports.Renderer, result Result) (Result, error) {
	var err error
	if !result.Findings.HasErrors() {
		err = s.pack(ctx, &job, renderer, &result)
	}
	if err != nil || result.Findings.HasErrors() {
		result.Rendering.Payload = delivery.Payload{}
	}
	return result, err
}

func (s *Service) pack(ctx context.Context, job *plan.Job, renderer ports.Renderer, result *Result) error {
	payload := result.Rendering.Payload
	if payload.Format == delivery.FormatButane || payload.Data.IsZero() {
		return nil
	}
	p, err := s.packer(job, payload)
	if err != nil {
		return err
	}
	result.Rendering.Payload, err = p.choose()
	if err != nil {
		return err
	}
	result.Findings = append(result.Findings, p.checkText(result.Rendering.Payload)...)
	if result.Size, err = p.size(result.Rendering.Payload); err != nil {
		return err
	}
	if result.Size.Counted <= result.Size.Limit {
		return nil
	}
	result.Size.Shares = s.weigh(ctx, renderer, *result)
	finding, err := p.tooLarge(result.Size)
	result.Size.TooLarge = finding.Severity == report.Error
	result.Findings = append(result.Findings, finding)
	return err
}

func (s *Service) packer(job *plan.Job, payload delivery.Payload) (packer, error) {
	t := &job.Target
	payload.SecretFormat = infrastructure.Key(t.Infrastructure, payload.Format)
	p := packer{
		wrapper: s.wrapper, job: job, version: t.VersionOf(payload.Format), bare: payload, inner: payload,
		limit: s.limitOf(job, payload.Format),
	}
	e := delivery.Envelope{Parts: job.Delivery.Parts, Multipart: p.looksLikeMIME()}
	if e.IsZero() || s.wrapper == nil {
		return p, nil
	}
	inner, err := s.wrapper.Wrap(payload, e)
	p.inner = inner
	return p, err
}

// limitOf returns the size limit of the platform: from the job, from the controller's flags, or from the table of
// infrastructure providers, in this order.
func (s *Service) limitOf(job *plan.Job, f delivery.Format) infrastructure.Limit {
	kind := job.Target.Infrastructure
	p, _ := infrastructure.Lookup(kind)
	limit := p.LimitOf(f)
	given := job.Delivery.MaxBytes
	if given == 0 {
		given = s.limits[infrastructure.KindOf(kind)]
	}
	if given != 0 {
		limit.Bytes, limit.Unless = int(min(given, int64(infrastructure.SecretBytes))), ""
	}
	return limit
}

// looksLikeMIME reports whether cloud-init would parse the payload as a MIME message. cloud-init searches the first
// bytes for the name of a header (user_data.convert_string), which may be in a file of the user's.
func (p *packer) looksLikeMIME() bool {
	const searched, header = 4096, "MIME-Version"
	if p.bare.Format != delivery.FormatCloudInit || infrastructure.OpensData(p.job.Target.Infrastructure) {
		return false
	}
	head := p.bare.Data.Reveal()
	head = head[:min(len(head), searched)]
	for {
		before, after, found := bytes.Cut(head, []byte(":"))
		if !found {
			return false
		}
		if at := len(before) - len(header); at >= 0 && strings.EqualFold(string(before[at:]), header) {
			return true
		}
		head = after
	}
}

// checkText returns findings about text that the infrastructure provider replaces or executes.
func (p *packer) checkText(wrapped delivery.Payload) report.Report {
	compressed := strings.Contains(wrapped.Envelope, "gzip")
	return infrastructure.CheckText(p.job.Target.Infrastructure, p.bare.Data.Reveal(), compressed, "spec.format")
}

// compressible reports whether compression hides no text that the infrastructure provider replaces.
func (p *packer) compressible() bool {
	replaced := infrastructure.PlaceholdersOf(p.job.Target.Infrastructure)
	return p.wrapper != nil && len(replaced.Find(p.bare.Data.Reveal())) == 0
}

// choose returns the payload in the requested envelope. If compression is automatic and the payload is too large, it
// returns the first payload that fits among the envelopes that the consumer is known to read.
func (p *packer) choose() (delivery.Payload, error) {
	o := p.job.Delivery
	requested := delivery.Envelope{
		Gzip:   o.Compression == delivery.CompressionGzip,
		Base64: o.Encoding == delivery.EncodingBase64, EC2Launch: o.Encoding == delivery.EncodingEC2Launch,
	}
	first, err := p.wrap(requested)
	if err != nil || requested.EC2Launch || o.Compression != delivery.CompressionAuto || !p.compressible() {
		return first, err
	}
	if fits, err := p.fits(first); fits || err != nil {
		return first, err
	}
	for _, e := range infrastructure.Envelopes(p.job.Target.Infrastructure, p.bare.Format, p.version) {
		e.Base64 = e.Base64 || requested.Base64
		candidate, err := p.wrap(e)
		if err != nil {
			return first, err
		}
		if fits, err := p.fits(candidate); fits || err != nil {
			return candidate, err
		}
	}
	return first, nil
}

func (p *packer) wrap(e delivery.Envelope) (delivery.Payload, error) {
	if e.IsZero() || p.wrapper == nil {
		return p.inner, nil
	}
	e.Parts, e.Multipart = p.job.Delivery.Parts, p.looksLikeMIME()
	wrapped, err := p.wrapper.Wrap(p.bare, e)
	if err != nil {
		return wrapped, fmt.Errorf("wrap the payload in %s: %w", e, err)
	}
	return wrapped, nil
}
