package credential

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

// KeySize is how many random bytes the key of a Signer has.
const KeySize = 32

// fingerprintSize is how many of its bytes distinguish keys.
const fingerprintSize = 8

// Signer signs what may be fetched until when, so that nothing has to be kept of it: HMAC with SHA-256 (RFC 2104).
type Signer struct{ key secret.Value }

// NewSigner returns a signer with the key; false if it is too short to protect anything.
func NewSigner(key secret.Value) (Signer, bool) { return Signer{key}, key.Len() >= KeySize }

// Sign returns the signature of the name and the time, to the second, as text for a URL.
func (s Signer) Sign(name string, expires time.Time) secret.Value {
	return secret.FromString(base64.RawURLEncoding.EncodeToString(s.sum(name, expires)))
}

// Verifies reports whether the signature is that of the name and the time. It takes the same time for every wrong one.
// It compares the text, of which there is one: decoders of base64 ignore line ends and the bits that are left over.
func (s Signer) Verifies(name string, expires time.Time, signature string) bool {
	return hmac.Equal([]byte(signature), s.Sign(name, expires).Reveal()) && s.key.Len() >= KeySize
}

// Fingerprint identifies the key and reveals nothing about it. It is the signature of a text that cannot be a name and
// a time.
func (s Signer) Fingerprint() string {
	mac := hmac.New(sha256.New, s.key.Reveal())
	_, _ = mac.Write([]byte("fingerprint")) // it never fails
	return hex.EncodeToString(mac.Sum(nil)[:fingerprintSize])
}

// sum signs the time first, since a name could end in digits.
func (s Signer) sum(name string, expires time.Time) []byte {
	mac := hmac.New(sha256.New, s.key.Reveal())
	_, _ = mac.Write([]byte(strconv.FormatInt(expires.Unix(), 10) + "\n" + name)) // it never fails
	return mac.Sum(nil)
}
