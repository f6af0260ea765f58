package render

import (
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
)

func (p *packer) fits(d delivery.Payload) (bool, error) {
	size, err := p.size(d)
	return size.Counted <= size.Limit, err
}

// size returns the payload's size as the platform counts it. The limit of a Secret always applies.
func (p *packer) size(d delivery.Payload) (Size, error) {
	size := Size{
		Rendered: p.bare.Data.Len(), Published: d.Data.Len(), Counted: d.Data.Len(),
		Limit: infrastructure.SecretBytes,
	}
	if p.limit.Bytes == 0 || size.Published > size.Limit {
		return size, nil
	}
	compressed := size.Published
	if p.limit.Gzip && p.wrapper != nil {
		packed, err := p.wrapper.Wrap(delivery.Payload{Data: d.Data}, delivery.Envelope{Gzip: true})
		if err != nil {
			return size, fmt.Errorf("measure the payload: %w", err)
		}
		compressed = packed.Data.Len()
	}
	size.Counted, size.Limit = p.limit.Count(size.Published, compressed), p.limit.Bytes
	return size, nil
}
