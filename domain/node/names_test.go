package node

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The patterns of the Kubernetes API and of kubeadm.
const (
	subdomain = `[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`
	labelName = `[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`
	version   = `v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?`
)

// TestNames compares the functions with regular expressions, for valid texts of which some bytes are changed.
func TestNames(t *testing.T) {
	cases := map[string]struct {
		matches func(string) bool
		pattern string
		texts   []string
	}{
		"subdomain":  {isSubdomain, subdomain, []string{"a", "a-b.c1", "node.cluster.x-k8s.io", "0"}},
		"label name": {isLabelName, labelName, []string{"a", "A_b.c-1", strings.Repeat("x", maxLabelValue)}},
		"label key": {
			isLabelKey, `(` + subdomain + `/)?` + labelName,
			[]string{"a", "node.cluster.x-k8s.io/uninitialized", "a.b/" + strings.Repeat("x", maxLabelValue)},
		},
		"label text": {func(s string) bool { return consists(s, isLabelText) }, `[-A-Za-z0-9_.]*`, []string{"", "-a._B9-"}},
		"token":      {isToken, `[a-z0-9]{6}\.[a-z0-9]{16}`, []string{"abcdef.0123456789abcdef"}},
		"pin":        {isPin, `sha256:[0-9a-f]{64}`, []string{"sha256:" + strings.Repeat("0af9", 16)}},
		"version":    {isVersion, version, []string{"v1.36.3", "v0.10.20-rc.1+build.5", "v1.2.3+a-b", "v1.2.3-a"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pattern := regexp.MustCompile(`^(?:` + tc.pattern + `)$`)
			random := rand.New(rand.NewPCG(1, 2))
			seen := map[bool]int{}
			for _, text := range tc.texts {
				if !tc.matches(text) {
					t.Errorf("%q does not match", text)
				}
				for range 3000 {
					changed := change(random, text)
					want := pattern.MatchString(changed)
					seen[want]++
					if got := tc.matches(changed); got != want {
						t.Fatalf("%q: got %t, want %t", changed, got, want)
					}
				}
			}
			if seen[true] == 0 || seen[false] == 0 {
				t.Errorf("all texts gave the same result: %v", seen)
			}
		})
	}
}

// change inserts, removes or replaces up to two bytes of a text.
func change(random *rand.Rand, text string) string {
	const bytes = "azAZ09fg-_./+:@ \n\x00\x80vx"
	for range 1 + random.IntN(2) {
		at := random.IntN(len(text) + 1)
		b := string(bytes[random.IntN(len(bytes))])
		end := min(at+random.IntN(2), len(text))
		if random.IntN(3) == 0 {
			b = ""
		}
		text = text[:at] + b + text[end:]
	}
	return text
}

func TestSubdomainHasALimit(t *testing.T) {
	long := strings.Repeat("a.", maxSubdomain/2)
	if !isSubdomain(long+"a") || isSubdomain(long+"aa") {
		t.Errorf("the limit is not %d bytes", maxSubdomain)
	}
}
