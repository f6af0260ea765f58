// Package age encrypts for public keys in the format of age (C2SP age-encryption.org/v1). The controller has no private
// key, so that it cannot read what it encrypted.
package age

import (
	"crypto/fips140"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"

	"github.com/machineadm/machineadm/ports"
)

// Encrypter implements ports.SnapshotEncrypter.
type Encrypter struct{}

var _ ports.SnapshotEncrypter = Encrypter{}

// ErrNotApproved means that the program is in FIPS 140-3 mode, which does not approve the algorithms of age.
var ErrNotApproved = errors.New("age uses X25519 and ChaCha20-Poly1305, which FIPS 140-3 does not approve; " +
	"remove spec.etcdSnapshots, or use a controller that is not a FIPS release")

// Encrypt returns a writer that encrypts for all recipients. The error is ErrNotApproved in FIPS 140-3 mode.
func (Encrypter) Encrypt(dst io.Writer, recipients []string) (io.WriteCloser, error) {
	if fips140.Enabled() {
		return nil, ErrNotApproved
	}
	if len(recipients) == 0 {
		return nil, errors.New("there are no recipients; add a public key of age")
	}
	var keys []age.Recipient
	for i, text := range recipients {
		key, err := age.ParseX25519Recipient(text)
		if err != nil {
			// The error of the library quotes the text, which could be a private key.
			return nil, fmt.Errorf("recipients[%d]: this is not a public key of age; use one that age-keygen prints", i)
		}
		keys = append(keys, key)
	}
	w, err := age.Encrypt(dst, keys...)
	if err != nil {
		return nil, fmt.Errorf("encrypt for %d recipients: %w", len(keys), err)
	}
	return w, nil
}
