// Package credential is about what a machine shows to the controller's endpoint: random bits that the machine's userdata holds, and
// of which the controller keeps the digest alone.
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

	"github.com/machineadm/machineadm/domain/secret"
)

// size is 256 bits, so that the digest needs no salt and no work factor: nobody guesses them.
const size = 32

// scheme names the digest in its text, so that another one can follow.
const scheme = "sha256:"

// New returns a credential of random bytes, as text that stands in a header: base64 for URLs, 43 characters.
func New(entropy io.Reader) (secret.Value, error) {
	random := make([]byte, size)
	if _, err := io.ReadFull(entropy, random); err != nil {
		return secret.Value{}, fmt.Errorf("make a credential: %w", err)
	}
	return secret.FromString(base64.RawURLEncoding.EncodeToString(random)), nil
}

// Digest is the SHA-256 of a credential's text. The zero Digest is nobody's.
type Digest [sha256.Size]byte

// Of returns the digest of a credential.
func Of(text []byte) Digest { return sha256.Sum256(text) }

// Matches reports whether the digest is that of the text. It takes the same time whatever the answer, also for the zero Digest,
// which nothing matches.
func (d Digest) Matches(text []byte) bool { return Digests{d}.Matches(text) }

// IsZero reports whether the digest is nobody's.
func (d Digest) IsZero() bool { return d == Digest{} }

// String returns the digest as an annotation holds it: sha256: and hexadecimal. It is empty for the zero Digest.
func (d Digest) String() string {
	if d.IsZero() {
		return ""
	}
	return scheme + hex.EncodeToString(d[:])
}

// Digests are those of several credentials of one machine, or pool of machines; the newest first.
type Digests []Digest

// keep is how many credentials a pool's machines may show: those that boot late have older userdata.
const keep = 3

// MaxSize is the most bytes of a credential. A longer text is refused before it is hashed or anything is looked up.
const MaxSize = 256

// Matches reports whether one of the first three digests is that of the text, which is false for a text longer than MaxSize. It
// hashes once and compares three times, however many digests there are, so that the time does not show whether a machine or a pool
// exists.
func (d Digests) Matches(text []byte) bool {
	return len(text) <= MaxSize && d.matches(text, Of, subtle.ConstantTimeCompare)
}

// matches is Matches with the functions that do the work.
func (d Digests) matches(text []byte, hash func([]byte) Digest, equal func(a, b []byte) int) bool {
	var known [keep]Digest
	copy(known[:], d)
	var none Digest
	shown, found := hash(text), 0
	for i := range known {
		found |= equal(known[i][:], shown[:]) &^ equal(known[i][:], none[:])
	}
	return found == 1
}

// With returns the digests after a new one. One that is known already takes no other's place.
func (d Digests) With(newest Digest) Digests {
	if newest.IsZero() {
		return d
	}
	all := append(Digests{newest}, slices.DeleteFunc(slices.Clone(d), func(known Digest) bool { return known == newest })...)
	return all[:min(len(all), keep)]
}

// String returns the digests with commas in between.
func (d Digests) String() string {
	var all []string
	for _, one := range d {
		if !one.IsZero() {
			all = append(all, one.String())
		}
	}
	return strings.Join(all, ",")
}

// ParseAll reads what String of Digests wrote. It leaves out what is none.
func ParseAll(text string) Digests {
	var all Digests
	for one := range strings.SplitSeq(text, ",") {
		if d, ok := Parse(one); ok && len(all) < keep {
			all = append(all, d)
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
