package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/infrastructure"
	"github.com/machineadm/machineadm/domain/report"
)

// maxNamedShares is the number of shares that a finding names.
const maxNamedShares = 3

// tooLarge returns the finding about a payload that exceeds the platform's limit: by how much, the largest documents,
// and a delivery that fits. It is a warning if a setting of the infrastructure provider lifts the limit.
func (p *packer) tooLarge(s Size) (report.Finding, error) {
	at := deliveryPath
	if p.job.Delivery.MaxBytes != 0 {
		at = at.Field("maxPayloadSize")
	}
	finding := report.Errorf(at, "%s", p.sizeMessage(s))
	if p.limit.Unless != "" && s.Limit != infrastructure.SecretBytes {
		finding.Severity = report.Warning
		finding.Message += "; this limit does not apply if " + p.limit.Unless
	}
	remedy, err := p.sizeRemedy()
	return finding.To("%s", remedy), err
}

// sizeMessage describes the size of the payload and its largest shares.
func (p *packer) sizeMessage(s Size) string {
	limiter := "a Secret"
	if p.limit.Bytes == s.Limit {
		limiter = cmp.Or(infrastructure.KindOf(p.job.Target.Infrastructure), "the platform")
	}
	counted := ""
	if s.Counted != s.Published {
		counted = fmt.Sprintf(" as the platform counts it (%d in the Secret)", s.Published)
	}
	message := fmt.Sprintf("the userdata has %d bytes%s, %d more than the limit of %s, which is %d", s.Counted, counted,
		s.Counted-s.Limit, limiter, s.Limit)
	if largest := largest(s.Shares); largest != "" {
		message += "; the largest parts: " + largest
	}
	return message
}

func largest(shares []Share) string {
	var words []string
	for _, s := range shares[:min(len(shares), maxNamedShares)] {
		words = append(words, fmt.Sprintf("%s %d", s.Source.Path, s.Bytes))
	}
	return strings.Join(words, ", ")
}

// sizeRemedy describes a delivery that fits.
func (p *packer) sizeRemedy() (string, error) {
	const otherwise = "add large files to the machine's image, or set spec.delivery.maxPayloadSize if " +
		"the platform accepts more"
	if p.job.Delivery.Compression == delivery.CompressionGzip || !p.canCompress() {
		return otherwise, nil
	}
	packed, err := p.wrap(delivery.Envelope{Gzip: true, Base64: p.job.Delivery.Encoding == delivery.EncodingBase64})
	if err != nil {
		return otherwise, err
	}
	size, err := p.size(packed)
	if err != nil {
		return otherwise, err
	}
	if size.Counted <= size.Limit {
		return fmt.Sprintf("set spec.delivery.compression to Gzip, which reduces it to %d bytes", size.Counted), nil
	}
	return fmt.Sprintf("compressed it still has %d bytes, which is too much; %s", size.Counted, otherwise), nil
}

// canCompress reports whether the consumer of the payload is known to read compressed data.
func (p *packer) canCompress() bool {
	o := p.job.Delivery
	o.Compression = delivery.CompressionGzip
	findings := append(o.Check(p.bare.Format, p.version, deliveryPath),
		infrastructure.CheckEnvelope(p.job.Target.Infrastructure, p.bare.Format, o, deliveryPath)...)
	return p.wrapper != nil && !findings.HasErrors()
}
