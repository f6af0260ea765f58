// Package credential is about what a machine shows to the controller's endpoint: random bits that the machine's
// userdata holds, and of which the controller keeps the digest alone.
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

// scheme names the digest in its text, so that another one can follow.
const scheme = "sha256:"

// New returns a credential of random bytes as text for a header: base64 for URLs, 43 characters.
func New(entropy io.Reader) (secret.Value, error) {
	random := make([]byte, size)
	if _, err := io.ReadFull(entropy, random); err != nil {
		return secret.Value{}, fmt.Errorf("make a credential: %w", err)
	}
	return secret.FromString(base64.RawURLEncoding.EncodeToString(random)), nil
}

// Digest is the SHA-256 of a credential's text. The zero Digest matches no credential.
type Digest [sha256.Size]byte

// Of returns the digest of a credential.
func Of(text []byte) Digest { return sha256.Sum256(text) }

// Matches reports whether the digest is that of the text. It takes the same time whatever the answer, also for the zero
// Digest, which nothing matches.
func (d Digest) Matches(text []byte) bool {
	_, found := Grants{{Digest: d}}.Match(text)
	return found
}

// IsZero reports whether this is the zero Digest.
func (d Digest) IsZero() bool { return d == Digest{} }

// String returns the digest as an annotation holds it: sha256: and hexadecimal. It is empty for the zero Digest.
func (d Digest) String() string {
	if d.IsZero() {
		return ""
	}
	return scheme + hex.EncodeToString(d[:])
}

// Grant is a credential that is accepted.
type Grant struct {
	Digest Digest
	// Ends is when it expires, to the second; zero for a pool's newest credential, which machines to come are given.
	Ends time.Time
}

// Grants are the accepted credentials of one machine, or of a pool of machines; the newest first.
type Grants []Grant

// keep is how many credentials a pool's machines may show: those that boot late have older userdata.
const keep = 3

// MaxSize is the most bytes of a credential. A longer text is refused before it is hashed or anything is looked up.
const MaxSize = 256

// Match returns the one of the first three grants whose digest is that of the text; false if there is none, or if the
// text is longer than MaxSize. It hashes once and compares three times, however many grants there are, so that the time
// does not show whether a machine or a pool exists. It does not look whether the grant has expired.
func (g Grants) Match(text []byte) (Grant, bool) {
	if len(text) > MaxSize {
		return Grant{}, false
	}
	return g.match(text, Of, subtle.ConstantTimeCompare)
}

// match is Match with the functions that do the work.
func (g Grants) match(text []byte, hash func([]byte) Digest, equal func(a, b []byte) int) (found Grant, ok bool) {
	var known [keep]Grant
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

// With returns the grants after a new one. A grant of the same digest is replaced, and the others end at the time or
// before.
func (g Grants) With(newest Grant, others time.Time) Grants {
	if newest.Digest.IsZero() {
		return g
	}
	all := Grants{newest}
	for _, known := range g {
		if known.Digest == newest.Digest {
			continue
		}
		if known.Ends.IsZero() || known.Ends.After(others) {
			known.Ends = others
		}
		all = append(all, known)
	}
	return all[:min(len(all), keep)]
}

// At returns the grants that have not expired at the time.
func (g Grants) At(now time.Time) Grants {
	return slices.DeleteFunc(slices.Clone(g), func(one Grant) bool { return one.Expired(now) })
}

// Expired reports whether the grant has expired at the time.
func (g Grant) Expired(now time.Time) bool { return !g.Ends.IsZero() && !now.Before(g.Ends) }

// endMark is between a digest and the time at which it expires (RFC 3339).
const endMark = "@"

// String returns the grants with commas in between. It leaves out the zero Digest.
func (g Grants) String() string {
	var all []string
	for _, one := range g {
		text := one.Digest.String()
		if !one.Ends.IsZero() {
			text += endMark + one.Ends.UTC().Format(time.RFC3339)
		}
		if !one.Digest.IsZero() {
			all = append(all, text)
		}
	}
	return strings.Join(all, ",")
}

// ParseGrants reads what String of Grants wrote. It leaves out texts that are not grants.
func ParseGrants(text string) Grants {
	var all Grants
	for one := range strings.SplitSeq(text, ",") {
		digest, end, ending := strings.Cut(one, endMark)
		known, ok := Parse(digest)
		ends, err := time.Parse(time.RFC3339, end)
		if ok && (!ending || err == nil) && len(all) < keep {
			all = append(all, Grant{Digest: known, Ends: ends})
		}
	}
	return all
}

// Parse reads what String wrote; false if it is something else.
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
