package credential

import (
	"crypto/subtle"
	"fmt"
	"strings"
	"testing"
)

func grants() Grants {
	return Grants{{Digest: DigestOf([]byte("1"))}, {Digest: DigestOf([]byte("2"))}, {Digest: DigestOf([]byte("3"))}}
}

// TestMatchesWorksTheSame counts hashes and comparisons: a refusal costs the same for no machine, one machine and a
// pool.
func TestMatchesWorksTheSame(t *testing.T) {
	all := grants()
	for n := range len(all) + 1 {
		for _, shown := range []string{"", "1", "3", "wrong"} {
			hashes, comparisons := 0, 0
			all[:n].match([]byte(shown), func(text []byte) Digest {
				hashes++
				return DigestOf(text)
			}, func(a, b []byte) int {
				comparisons++
				return subtle.ConstantTimeCompare(a, b)
			})
			if hashes != 1 || comparisons != 2*maxGrants {
				t.Errorf("%d digests, %q: %d hashes, %d comparisons; want 1 and %d", n, shown, hashes, comparisons, 2*maxGrants)
			}
		}
	}
}

func TestMatchesRefusesALongText(t *testing.T) {
	for _, size := range []int{MaxSize, MaxSize + 1} {
		text := []byte(strings.Repeat("x", size))
		if _, got := (Grants{{Digest: DigestOf(text)}}).Match(text); got != (size == MaxSize) {
			t.Errorf("%d bytes: %v", size, got)
		}
	}
}

// BenchmarkMatches compares a refusal for no machine, one machine and a pool.
func BenchmarkMatches(b *testing.B) {
	shown := []byte(strings.Repeat("x", MaxSize))
	all := grants()
	for _, n := range []int{0, 1, 3} {
		b.Run(fmt.Sprint(n, " digests"), func(b *testing.B) {
			for b.Loop() {
				all[:n].Match(shown)
			}
		})
	}
}
