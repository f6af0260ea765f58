package ports

import "github.com/machineadm/machineadm/domain/delivery"

// Wrapper lays envelopes around payloads.
type Wrapper interface {
	// Wrap returns the payload in the envelope, with the name of the envelope and the file name extension that goes with
	// it. The same payload and envelope give the same bytes. An error means that the format cannot be put into such an
	// envelope, or that the payload is not of its format.
	Wrap(p delivery.Payload, e delivery.Envelope) (delivery.Payload, error)
}
