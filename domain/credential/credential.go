// Package credential implements the credentials with which machines authenticate to the controller's endpoint: random
// bytes in the machine's userdata, of which the controller stores only a digest.
package credential

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/machineadm/machineadm/domain/secret"
)

// size is 256 bits: the value cannot be guessed, so the digest needs no salt and no work factor.
const size = 32

// scheme is the prefix of a digest's text, so that other digests can be added later.
const scheme = "sha256:"

// New returns a credential of 32 random bytes as text for a header: 43 characters of URL-safe base64 without padding.
func New(entropy io.Reader) (secret.Value, error) {
	random := make([]byte, size)
	if _, err := io.ReadFull(entropy, random); err != nil {
		return secret.Value{}, fmt.Errorf("create a credential: %w", err)
	}
	return secret.FromString(base64.RawURLEncoding.EncodeToString(random)), nil
}

// Digest is the SHA-256 of a credential's text. The zero Digest matches no credential.
type Digest [sha256.Size]byte

// DigestOf returns the digest of a credential.
func DigestOf(text []byte) Digest { return sha256.Sum256(text) }

// Matches reports whether d is the digest of the text, in constant time. Nothing matches the zero Digest.
func (d Digest) Matches(text []byte) bool {
	_, found := Grants{{Digest: d}}.Match(text)
	return found
}

// IsZero reports whether this is the zero Digest.
func (d Digest) IsZero() bool { return d == Digest{} }

// String returns the digest for an annotation: sha256: and hexadecimal digits. It is empty for the zero Digest.
func (d Digest) String() string {
	if d.IsZero() {
		return ""
	}
	return scheme + hex.EncodeToString(d[:])
}

// Grant is the digest of an accepted credential, and its expiry.
type Grant struct {
	Digest Digest
	// Expires is the expiry, to the second. It is zero for the newest credential of a pool, which future machines use.
	Expires time.Time
}

// Grants are the accepted credentials of one machine, or of a pool of machines; the newest first.
type Grants []Grant

// maxGrants is the number of accepted credentials of a pool. Machines that boot late have older userdata.
const maxGrants = 3

// MaxSize is the maximum length of a credential in bytes. Longer texts are refused before any hashing or lookup.
const MaxSize = 256

// Match returns the grant among the first three whose digest matches the text. It is false if there is none, or if the
// text is longer than MaxSize. It always hashes once and compares three times, so that its time does not reveal whether
// a machine exists. It does not check the expiry.
func (g Grants) Match(text []byte) (Grant, bool) {
	if len(text) > MaxSize {
		return Grant{}, false
	}
	return g.match(text, DigestOf, subtle.ConstantTimeCompare)
}

// match is Match with the hash and the comparison as parameters, which tests count.
func (g Grants) match(text []byte, hash func([]byte) Digest, equal func(a, b []byte) int) (found Grant, ok bool) {
	var known [maxGrants]Grant
	copy(known[:], g)
	var none Digest
	shown := hash(text)
	for _, one := range known {
		if equal(one.Digest[:], shown[:])&^equal(one.Digest[:], none[:]) == 1 {
			found, ok = one, true
		}
	}
	return found, ok
}

// With returns the grants with newest in front. It replaces a grant with the same digest, and limits the expiry of all
// others to the given time.
func (g Grants) With(newest Grant, others time.Time) Grants {
	if newest.Digest.IsZero() {
		return g
	}
	all := Grants{newest}
	for _, known := range g {
		if known.Digest == newest.Digest {
			continue
		}
		if known.Expires.IsZero() || known.Expires.After(others) {
			known.Expires = others
		}
		all = append(all, known)
	}
	return all[:min(len(all), maxGrants)]
}

// ValidAt returns the grants that have not expired at the given time.
func (g Grants) ValidAt(now time.Time) Grants {
	return slices.DeleteFunc(slices.Clone(g), func(one Grant) bool { return one.Expired(now) })
}

// Expired reports whether the grant has expired at the given time.
func (g Grant) Expired(now time.Time) bool { return !g.Expires.IsZero() && !now.Before(g.Expires) }

// expirySeparator separates a digest from its expiry (RFC 3339).
const expirySeparator = "@"

// String returns the grants, separated by commas. It omits grants with the zero Digest.
func (g Grants) String() string {
	var all []string
	for _, one := range g {
		text := one.Digest.String()
		if !one.Expires.IsZero() {
			text += expirySeparator + one.Expires.UTC().Format(time.RFC3339)
		}
		if !one.Digest.IsZero() {
			all = append(all, text)
		}
	}
	return strings.Join(all, ",")
}

// ParseGrants parses the result of Grants.String. It skips invalid parts.
func ParseGrants(text string) Grants {
	var all Grants
	for one := range strings.SplitSeq(text, ",") {
		digest, end, ending := strings.Cut(one, expirySeparator)
		known, ok := Parse(digest)
		ends, err := time.Parse(time.RFC3339, end)
		if ok && (!ending || err == nil) && len(all) < maxGrants {
			all = append(all, Grant{Digest: known, Expires: ends})
		}
	}
	return all
}

// Parse parses the result of Digest.String. It is false for other text.
func Parse(text string) (Digest, bool) {
	var d Digest
	if len(text) != len(scheme)+2*len(d) || text[:len(scheme)] != scheme {
		return Digest{}, false
	}
	_, err := hex.Decode(d[:], []byte(text[len(scheme):]))
	if err != nil {
		return Digest{}, false
	}
	return d, true
}
