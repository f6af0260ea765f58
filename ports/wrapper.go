package ports

import "github.com/machineadm/machineadm/domain/delivery"

// Wrapper compresses and encodes payloads: MIME, gzip and base64.
type Wrapper interface {
	// Wrap returns the payload in the envelope, and sets its Envelope and FileExtension. It is deterministic. An error
	// means that the format does not support the envelope, or that the data is not valid in the payload's format.
	Wrap(p delivery.Payload, e delivery.Envelope) (delivery.Payload, error)
}
