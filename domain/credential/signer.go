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

// KeySize is the minimum length of a Signer's key, in bytes.
const KeySize = 32

// fingerprintSize is the length of a key's fingerprint, in bytes.
const fingerprintSize = 8

// Signer signs the name of an object and an expiry with HMAC-SHA-256 (RFC 2104), so that the endpoint can verify a URL
// without storing it.
type Signer struct{ key secret.Value }

// NewSigner returns a signer with the key. It is false if the key is shorter than KeySize.
func NewSigner(key secret.Value) (Signer, bool) { return Signer{key}, key.Len() >= KeySize }

// Sign returns the signature of the name and the expiry, to the second, as text for a URL.
func (s Signer) Sign(name string, expires time.Time) secret.Value {
	return secret.FromString(base64.RawURLEncoding.EncodeToString(s.sum(name, expires)))
}

// Verifies reports whether the signature is valid for the name and the expiry, in constant time. It compares the
// encoded text, because base64 decoders accept several texts for the same bytes.
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

// sum puts the expiry before the name, because a name could end in digits.
func (s Signer) sum(name string, expires time.Time) []byte {
	mac := hmac.New(sha256.New, s.key.Reveal())
	_, _ = mac.Write([]byte(strconv.FormatInt(expires.Unix(), 10) + "\n" + name)) // it never fails
	return mac.Sum(nil)
}
