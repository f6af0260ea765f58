package render

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/osprofile"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/domain/report"
	"github.com/machineadm/machineadm/ports"
)

const (
	// named is how many of the shares a finding names.
	named = 3
	// weighedBytes limits how much is rendered to find shares, and documentBytes is what a document costs besides its
	// text.
	weighedBytes  = 64 << 20
	documentBytes = 1 << 10
)

// Share is what a document, a snippet or a part adds to a payload.
type Share struct {
	Source document.Source
	// Bytes is how much smaller the rendered payload is without it.
	Bytes int
}

// tooLarge says by how much the payload is too large, what takes the space, and what would fit. Where a setting of the
// provider has another way for it, that is a warning, and the payload stays.
func (p *parcel) tooLarge(ctx context.Context, renderer ports.Renderer, result *Result) error {
	result.Size.Shares = p.service.weigh(ctx, renderer, *result)
	at := deliveryPath
	if p.target.Delivery.MaxBytes != 0 {
		at = at.Field("maxPayloadSize")
	}
	finding := report.Errorf(at, "%s", p.complaint(result.Size))
	if p.limit.Unless != "" && result.Size.Limit != infrastructure.SecretBytes {
		finding.Severity = report.Warning
		finding.Message += "; that does not matter if " + p.limit.Unless
	}
	remedy, err := p.remedy()
	result.Size.TooLarge = finding.Severity == report.Error
	result.Findings = append(result.Findings, finding.To("%s", remedy))
	return err
}

// complaint says how large the payload is and what is in it.
func (p *parcel) complaint(s Size) string {
	taker := "a Secret"
	if p.limit.Bytes == s.Limit {
		taker = cmp.Or(infrastructure.KindOf(p.target.Infrastructure), "the platform")
	}
	how := ""
	if s.Counted != s.Published {
		how = fmt.Sprintf(" as it is counted there (%d in the Secret)", s.Published)
	}
	message := fmt.Sprintf("the userdata has %d bytes%s, %d more than the %d that %s takes", s.Counted, how,
		s.Counted-s.Limit, s.Limit, taker)
	if largest := largest(s.Shares); largest != "" {
		message += "; the most of it: " + largest
	}
	return message
}

func largest(shares []Share) string {
	var words []string
	for _, s := range shares[:min(len(shares), named)] {
		words = append(words, fmt.Sprintf("%s %d", s.Source.Path, s.Bytes))
	}
	return strings.Join(words, ", ")
}

// remedy says which delivery would fit.
func (p *parcel) remedy() (string, error) {
	const otherwise = "bring large files in the machine's image, or set spec.delivery.maxPayloadSize if " +
		"the platform takes more"
	if p.target.Delivery.Compression == delivery.CompressionGzip || !p.mayCompress() {
		return otherwise, nil
	}
	packed, err := p.wrap(delivery.Envelope{Gzip: true, Base64: p.target.Delivery.Encoding == delivery.EncodingBase64})
	if err != nil {
		return otherwise, err
	}
	size, err := p.size(packed)
	if err != nil {
		return otherwise, err
	}
	if size.Counted <= size.Limit {
		return fmt.Sprintf("set spec.delivery.compression to Gzip, which makes it %d bytes", size.Counted), nil
	}
	return fmt.Sprintf("compressed it has %d bytes, which is too many still; %s", size.Counted, otherwise), nil
}

// mayCompress reports whether somebody could ask for compression: it is read, as far as is known.
func (p *parcel) mayCompress() bool {
	asked := p.target.Delivery
	asked.Compression = delivery.CompressionGzip
	findings := append(asked.Check(p.bare.Format, p.version, deliveryPath),
		infrastructure.CheckEnvelope(p.target.Infrastructure, p.bare.Format, asked, deliveryPath)...)
	return p.service.wrapper != nil && !findings.HasErrors()
}

// Weigh returns what takes the space of a rendered payload, the largest first. It renders the plan without each of its
// documents, and with each of its snippets, so that what a format adds around them is included. A document that the
// format needs has no share, and neither have the shorter ones of so many that rendering all of them would take long.
func (s *Service) Weigh(ctx context.Context, r Result) []Share {
	renderer, known := s.renderers[r.Rendering.Payload.Format]
	if !known {
		return nil
	}
	return s.weigh(ctx, renderer, r)
}

// weigh renders each snippet alone, and the documents without the snippets: the snippets, which are costly to parse,
// are parsed once more and not once for each document.
func (s *Service) weigh(ctx context.Context, renderer ports.Renderer, r Result) []Share {
	ctx = budget.NewContext(ctx, budget.New(budget.Default()))
	length := func(p plan.Plan) int {
		rendering, findings, err := renderer.Render(ctx, p)
		if err != nil || findings.HasErrors() {
			return 0
		}
		return rendering.Payload.Data.Len()
	}
	p, shares := r.Plan, s.weighDelegated(r.Delegated)
	add := func(at document.Source, with, without int) {
		if without > 0 && without < with {
			shares = append(shares, Share{Source: at, Bytes: with - without})
		}
	}
	bare := p
	bare.Target.Snippets = nil
	total := length(bare)
	left := weighedBytes
	for n, i := range s.heaviest(p.Documents) {
		if left -= total + documentBytes*len(p.Documents); ctx.Err() != nil || left < 0 && n >= named {
			break
		}
		add(p.Documents[i].Source, total, length(bare.Without(i)))
	}
	for _, snippet := range p.Target.Snippets {
		one := p
		one.Target.Snippets = []osprofile.SourcedSnippet{snippet}
		add(snippet.Source, length(one), total)
	}
	for i, part := range p.Target.Delivery.Parts {
		at := document.Source{Path: deliveryPath.Field("parts").Index(i)}
		shares = append(shares, Share{Source: at, Bytes: len(part.Text)})
	}
	slices.SortStableFunc(shares, func(a, b Share) int { return b.Bytes - a.Bytes })
	return shares
}

// heaviest returns the indexes of the user's documents, those first that are longest as an agent reads them. All of
// them are weighed in their order if there is nothing to write them with.
func (s *Service) heaviest(docs []document.Document) []int {
	var indexes []int
	lengths := make([]int, len(docs))
	for i, d := range docs {
		if d.Source.Path == deliveryPath {
			continue
		}
		indexes = append(indexes, i)
		if s.carrier.Codec != nil {
			// What cannot be written has no length, and comes last.
			text, _ := s.carrier.Codec.Encode([]document.Document{d})
			lengths[i] = len(text)
		}
	}
	slices.SortStableFunc(indexes, func(a, b int) int { return lengths[b] - lengths[a] })
	return indexes
}

// weighDelegated returns how long the documents are in the agent's configuration.
func (s *Service) weighDelegated(p plan.Plan) []Share {
	var shares []Share
	for _, d := range p.Documents {
		if text, err := s.carrier.Codec.Encode([]document.Document{d}); err == nil {
			shares = append(shares, Share{Source: d.Source, Bytes: len(text)})
		}
	}
	return shares
}
