package render

import (
	"bytes"
	"context"
	"fmt"

	"github.com/machineadm/machineadm/app/delegate"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

// deliveryPath is the field that says how the payload is handed over.
const deliveryPath report.Path = "spec.delivery"

// Option changes a service while it is made.
type Option func(*Service)

// WithWrapper has the service lay envelopes around payloads. Without it nothing is laid around them, and what needs an
// envelope is refused.
func WithWrapper(w ports.Wrapper) Option { return func(s *Service) { s.wrapper = w } }

// WithCodec has the service hand configurations to agents. Without it that is refused.
func WithCodec(c ports.Codec) Option { return func(s *Service) { s.carrier.Codec = c } }

// WithEncrypter has the service encrypt what agents read. Without it that is refused.
func WithEncrypter(e ports.Encrypter) Option { return func(s *Service) { s.carrier.Encrypter = e } }

// WithSignatures has the service take the digests of agents from releases. Without it that is refused.
func WithSignatures(v ports.Signatures) Option { return func(s *Service) { s.signatures = v } }

// WithLimits takes the place of what the platforms of kinds of infrastructure objects take, in bytes. The keys are
// kinds of machines or of pools of them.
func WithLimits(limits map[string]int64) Option { return func(s *Service) { s.limits = limits } }

// Size says how large a payload is, in bytes.
type Size struct {
	// Rendered is what the renderer gave, and Published what the Secret holds: the same with its envelope.
	Rendered, Published int
	// Counted is what the platform counts, and Limit what it takes.
	Counted, Limit int
	// TooLarge says that the platform would refuse the payload, which is then not published.
	TooLarge bool
	// Shares say what takes the space of a payload that is too large, the largest first. They are of the rendered bytes.
	Shares []Share
}

// parcel is a payload on its way, and all that decides how it goes.
type parcel struct {
	service *Service
	target  osprofile.Target
	version string
	// bare is the payload as it was rendered, and inner the same with its parts, if it has some.
	bare, inner delivery.Payload
	limit       infrastructure.Limit
}

// checkDelivery finds what keeps the format from the target's infrastructure, and what is wrong with how it is to be
// handed over.
func (s *Service) checkDelivery(t osprofile.Target, f delivery.Format) report.Report {
	found := append(infrastructure.Check(t.Infrastructure, f, "spec.format"), s.checkAgent(t)...)
	if f == delivery.FormatButane {
		return found
	}
	found = append(found, t.Delivery.Check(f, t.VersionOf(f), deliveryPath)...)
	found = append(found, infrastructure.CheckEnvelope(t.Infrastructure, f, t.Delivery, deliveryPath)...)
	if s.wrapper == nil && (t.Delivery.Compression == delivery.CompressionGzip || t.Delivery.Encoding != "" ||
		len(t.Delivery.Parts) > 0) {
		found = append(found, report.Errorf(deliveryPath, "this program lays nothing around userdata").To("leave it out"))
	}
	return found
}

// checkAgent finds what keeps an agent from the target, if one is asked for.
func (s *Service) checkAgent(t osprofile.Target) report.Report {
	found := s.carrier.Check(t.Delivery, deliveryPath)
	if o := t.Delivery; o.Template != nil && o.Mode != delivery.ModeAgent {
		found = append(found, report.Errorf(o.Template.Path, "a template is for what an agent reads, and none is asked for").
			To("set %s to %s", deliveryPath.Field("mode"), delivery.ModeAgent))
	}
	switch {
	case t.Delivery.Mode != delivery.ModeAgent:
		return found
	case s.carrier.Codec == nil:
		return report.Report{report.Errorf(deliveryPath.Field("mode"), "this program writes no configuration for an agent").
			To("use Native")}
	default:
		return append(found, delegate.Check(t, deliveryPath)...)
	}
}

// deliver makes the rendered payload what is published: with the key that the infrastructure reads, in the envelope
// that is asked for or needed, and no larger than what the platform takes.
func (s *Service) deliver(ctx context.Context, r Request, renderer ports.Renderer, result *Result) error {
	payload := result.Rendering.Payload
	if payload.Format == delivery.FormatButane || payload.Data.IsZero() {
		return nil
	}
	p, err := s.parcel(r.Target, payload)
	if err != nil {
		return err
	}
	chosen, err := p.choose()
	if err != nil {
		return err
	}
	result.Rendering.Payload = chosen
	if result.Size, err = p.size(chosen); err != nil {
		return err
	}
	if result.Size.Counted <= result.Size.Limit {
		return nil
	}
	return p.tooLarge(ctx, renderer, result)
}

func (s *Service) parcel(t osprofile.Target, payload delivery.Payload) (*parcel, error) {
	payload.SecretFormat = infrastructure.Key(t.Infrastructure, payload.Format)
	p := &parcel{
		service: s, target: t, version: t.VersionOf(payload.Format), bare: payload, inner: payload,
		limit: s.limitOf(t, payload.Format),
	}
	e := delivery.Envelope{Parts: t.Delivery.Parts, Multipart: p.ambiguous()}
	if e.IsZero() || s.wrapper == nil {
		return p, nil
	}
	inner, err := s.wrapper.Wrap(payload, e)
	p.inner = inner
	return p, err
}

// limitOf returns what the platform takes: as the description says, or the controller's administrator, or the catalog.
func (s *Service) limitOf(t osprofile.Target, f delivery.Format) infrastructure.Limit {
	p, _ := infrastructure.Lookup(t.Infrastructure)
	limit := p.LimitOf(f)
	given := t.Delivery.MaxBytes
	if given == 0 {
		given = s.limits[infrastructure.KindOf(t.Infrastructure)]
	}
	if given != 0 {
		limit.Bytes, limit.Unless = int(min(given, int64(infrastructure.SecretBytes))), ""
	}
	return limit
}

// ambiguous reports whether cloud-init would take the payload for a MIME message: a file that it writes may hold one,
// and cloud-init looks for a header's name anywhere among the first bytes (user_data.convert_string).
func (p *parcel) ambiguous() bool {
	const looked = 4096
	if p.bare.Format != delivery.FormatCloudInit || infrastructure.OpensData(p.target.Infrastructure) {
		return false
	}
	head := p.bare.Data.Reveal()
	return bytes.Contains(bytes.ToLower(head[:min(len(head), looked)]), []byte("mime-version:"))
}

// choose returns the payload in the envelope that is asked for. If none is, and it would be too large, it returns the
// first that fits of those that are known to be read.
func (p *parcel) choose() (delivery.Payload, error) {
	o := p.target.Delivery
	asked := delivery.Envelope{
		Gzip:   o.Compression == delivery.CompressionGzip,
		Base64: o.Encoding == delivery.EncodingBase64,
	}
	first, err := p.wrap(asked)
	if err != nil || o.Compression != delivery.CompressionAuto || p.service.wrapper == nil {
		return first, err
	}
	if fits, err := p.fits(first); fits || err != nil {
		return first, err
	}
	for _, e := range infrastructure.Envelopes(p.target.Infrastructure, p.bare.Format, p.version) {
		e.Base64 = e.Base64 || asked.Base64
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

func (p *parcel) wrap(e delivery.Envelope) (delivery.Payload, error) {
	if e.IsZero() || p.service.wrapper == nil {
		return p.inner, nil
	}
	e.Parts, e.Multipart = p.target.Delivery.Parts, p.ambiguous()
	wrapped, err := p.service.wrapper.Wrap(p.bare, e)
	if err != nil {
		return wrapped, fmt.Errorf("lay %s around the payload: %w", e, err)
	}
	return wrapped, nil
}

func (p *parcel) fits(d delivery.Payload) (bool, error) {
	size, err := p.size(d)
	return size.Counted <= size.Limit, err
}

// size measures the payload as the platform does. What the Secret takes is the most in any case.
func (p *parcel) size(d delivery.Payload) (Size, error) {
	size := Size{
		Rendered: p.bare.Data.Len(), Published: d.Data.Len(), Counted: d.Data.Len(),
		Limit: infrastructure.SecretBytes,
	}
	if p.limit.Bytes == 0 || size.Published > size.Limit {
		return size, nil
	}
	compressed := size.Published
	if p.limit.Gzip && p.service.wrapper != nil {
		packed, err := p.service.wrapper.Wrap(delivery.Payload{Data: d.Data}, delivery.Envelope{Gzip: true})
		if err != nil {
			return size, fmt.Errorf("measure the payload: %w", err)
		}
		compressed = packed.Data.Len()
	}
	size.Counted, size.Limit = p.limit.Count(size.Published, compressed), p.limit.Bytes
	return size, nil
}
