package credential_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/machineadm/machineadm/domain/credential"
)

func TestNew(t *testing.T) {
	c, err := credential.New(bytes.NewReader(bytes.Repeat([]byte{0xff}, 32)))
	if err != nil || string(c.Reveal()) != strings.Repeat("_", 42)+"8" {
		t.Errorf("got %q, %v", c.Reveal(), err)
	}
	if _, err := credential.New(strings.NewReader("too little")); err == nil {
		t.Error("little entropy must be an error")
	}
}

func TestMatches(t *testing.T) {
	cases := map[string]struct {
		reason string
		digest credential.Digest
		shown  string
		want   bool
	}{
		"right":   {reason: "it is the one", digest: credential.DigestOf([]byte("right")), shown: "right", want: true},
		"wrong":   {reason: "it is another", digest: credential.DigestOf([]byte("right")), shown: "wrong"},
		"nothing": {reason: "nothing was shown", digest: credential.DigestOf([]byte("right"))},
		"empty":   {reason: "no credential has the zero digest, not even the empty one", shown: ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.digest.Matches([]byte(c.shown)); got != c.want {
				t.Errorf("%s: %v", c.reason, got)
			}
		})
	}
}

func TestGrants(t *testing.T) {
	var all credential.Grants
	if _, found := all.Match(nil); found || all.String() != "" {
		t.Error("no grants accept nothing")
	}
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i, text := range []string{"1", "2", "3", "4", "4", "3", "4"} {
		all = all.With(credential.Grant{Digest: credential.DigestOf([]byte(text))}, now.Add(time.Duration(i)*time.Minute))
	}
	all = credential.ParseGrants("nonsense," + all.With(credential.Grant{}, now).String())
	// Those that were replaced end when they were first replaced: 2 by the third, 3 by the last.
	for text, want := range map[string]time.Time{"2": now.Add(2 * time.Minute), "3": now.Add(6 * time.Minute), "4": {}} {
		if got, found := all.Match([]byte(text)); !found || !got.Expires.Equal(want) {
			t.Errorf("%q: %v, %v", text, got.Expires, found)
		}
	}
	for _, text := range []string{"1", ""} {
		if got, found := all.Match([]byte(text)); found {
			t.Errorf("%q: %v", text, got)
		}
	}
	if left := all.ValidAt(now.Add(2 * time.Minute)); len(left) != 2 || len(all) != 3 || len(all.ValidAt(now)) != 3 {
		t.Errorf("left: %v of %v", left, all)
	}
}

func TestParseGrants(t *testing.T) {
	digest := credential.DigestOf([]byte("x")).String()
	for text, want := range map[string]int{
		"": 0, digest: 1, digest + "@2026-11-01T00:00:00Z": 1, digest + "@": 0, digest + "@tomorrow": 0,
		"@2026-11-01T00:00:00Z":       0,
		strings.Repeat(digest+",", 9): 3,
	} {
		if got := credential.ParseGrants(text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParse(t *testing.T) {
	digest := credential.DigestOf([]byte("x"))
	if got, ok := credential.Parse(digest.String()); !ok || got != digest {
		t.Errorf("what was written is not read: %v %v", got, ok)
	}
	for reason, text := range map[string]string{
		"nothing": "", "another scheme": "sha512:" + digest.String()[7:], "short": digest.String()[:70],
		"no digits": "sha256:" + strings.Repeat("x", 64),
	} {
		if got, ok := credential.Parse(text); ok || !got.IsZero() {
			t.Errorf("%s: %v", reason, got)
		}
	}
	if text := (credential.Digest{}).String(); text != "" {
		t.Errorf("the zero digest is written as %q", text)
	}
}
