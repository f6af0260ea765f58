// Package envelope wraps payloads in envelopes that their consumers remove: a MIME message with further parts, gzip and
// base64, or the element that EC2Launch runs. Ignition does not read compressed userdata; its configuration is wrapped
// in a small one that contains it as a compressed data URL (ignition.config.replace).
package envelope

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
	"github.com/machineadm/machineadm/ports"
)

// Wrapper implements ports.Wrapper. It has no state.
type Wrapper struct{}

var _ ports.Wrapper = Wrapper{}

// Wrap adds the layers of the envelope: the MIME message innermost, base64 outermost.
func (Wrapper) Wrap(p delivery.Payload, e delivery.Envelope) (delivery.Payload, error) {
	data, extension := p.Data.Reveal(), p.FileExtension
	var err error
	if e.Multipart || len(e.Parts) > 0 {
		if data, err = multipartMessage(p.Format, data, e.Parts); err != nil {
			return delivery.Payload{}, fmt.Errorf("make a message of several parts: %w", err)
		}
		extension = ".mime"
	}
	if e.EC2Launch {
		if data, err = element(data); err != nil {
			return delivery.Payload{}, fmt.Errorf("write %s for EC2Launch: %w", p.Format, err)
		}
		extension = ".txt"
	}
	if e.Gzip {
		if data, err = compressed(p.Format, data); err != nil {
			return delivery.Payload{}, fmt.Errorf("compress %s: %w", p.Format, err)
		}
		if p.Format != delivery.FormatIgnition {
			extension += ".gz"
		}
	}
	if e.Base64 {
		data = base64.StdEncoding.AppendEncode(nil, data)
		extension += ".b64"
	}
	p.Data, p.FileExtension, p.Envelope = secret.New(data), extension, e.String()
	return p, nil
}

func compressed(f delivery.Format, data []byte) ([]byte, error) {
	if f == delivery.FormatIgnition {
		return replaced(data)
	}
	return pack(data)
}

// pack compresses the data with gzip. The header contains no time and no name, so that the result is deterministic.
func pack(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
