package render

import (
	"context"
	"slices"

	"github.com/machineadm/machineadm/domain/budget"
	"github.com/machineadm/machineadm/domain/document"
	"github.com/machineadm/machineadm/domain/plan"
	"github.com/machineadm/machineadm/ports"
)

const (
	// maxWeighedBytes limits how many bytes are rendered to find the shares. documentBytes is the assumed cost of a
	// document in addition to its text.
	maxWeighedBytes = 64 << 20
	documentBytes   = 1 << 10
)

// Share is the part of a payload that a document, a snippet or a part adds.
type Share struct {
	Source document.Source
	// Bytes is by how much the rendered payload is smaller without it.
	Bytes int
}

// SizeShares returns the shares of a rendered payload, the largest first. It renders the plan without each of its
// documents, and with each of its snippets, so that a share includes what the format adds. Documents that the format
// requires have no share. Neither have the shortest documents if there are too many to render the plan without each.
func (s *Service) SizeShares(ctx context.Context, r Result) []Share {
	renderer, known := s.renderers[r.Rendering.Payload.Format]
	if !known {
		return nil
	}
	return s.weigh(ctx, renderer, r)
}

// weigh renders each snippet alone, and the documents without the snippets, so that snippets, which are expensive to
// parse, are parsed only once.
func (s *Service) weigh(ctx context.Context, renderer ports.Renderer, r Result) []Share {
	ctx = budget.NewContext(ctx, budget.New(budget.Default()))
	length := func(p plan.Plan) int {
		rendering, findings, err := renderer.Render(ctx, p)
		if err != nil || findings.HasErrors() {
			return 0
		}
		return rendering.Payload.Data.Len()
	}
	p, shares := r.Plan, s.delegatedShares(r.Delegated)
	add := func(at document.Source, with, without int) {
		if without > 0 && without < with {
			shares = append(shares, Share{Source: at, Bytes: with - without})
		}
	}
	bare := p
	bare.Snippets = nil
	total := length(bare)
	left := maxWeighedBytes
	for n, i := range s.byLength(p.Documents) {
		if left -= total + documentBytes*len(p.Documents); ctx.Err() != nil || left < 0 && n >= maxNamedShares {
			break
		}
		add(p.Documents[i].Source, total, length(bare.Without(i)))
	}
	for _, snippet := range p.Snippets {
		one := p
		one.Snippets = []plan.Snippet{snippet}
		add(snippet.Source, length(one), total)
	}
	for i, part := range r.parts {
		at := document.Source{Path: deliveryPath.Field("parts").Index(i)}
		shares = append(shares, Share{Source: at, Bytes: len(part.Text)})
	}
	slices.SortStableFunc(shares, func(a, b Share) int { return b.Bytes - a.Bytes })
	return shares
}

// byLength returns the indexes of the user's documents, the longest in the agent's format first. Without a codec they
// are in their order.
func (s *Service) byLength(docs []document.Document) []int {
	var indexes []int
	lengths := make([]int, len(docs))
	for i, d := range docs {
		if d.Source.Path == deliveryPath {
			continue
		}
		indexes = append(indexes, i)
		if s.encoder.Codec != nil {
			// A document that cannot be encoded has the length 0 and comes last.
			text, _ := s.encoder.Codec.Encode([]document.Document{d})
			lengths[i] = len(text)
		}
	}
	slices.SortStableFunc(indexes, func(a, b int) int { return lengths[b] - lengths[a] })
	return indexes
}

// delegatedShares returns the lengths of the documents in the agent's configuration.
func (s *Service) delegatedShares(p plan.Plan) []Share {
	var shares []Share
	for _, d := range p.Documents {
		if text, err := s.encoder.Codec.Encode([]document.Document{d}); err == nil {
			shares = append(shares, Share{Source: d.Source, Bytes: len(text)})
		}
	}
	return shares
}
