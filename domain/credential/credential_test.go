package credential_test

import (
	"bytes"
	"strings"
	"testing"

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
		"right":   {reason: "it is the one", digest: credential.Of([]byte("right")), shown: "right", want: true},
		"wrong":   {reason: "it is another", digest: credential.Of([]byte("right")), shown: "wrong"},
		"nothing": {reason: "nothing was shown", digest: credential.Of([]byte("right"))},
		"nobody":  {reason: "nobody has the zero digest, not even who shows nothing", shown: ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := c.digest.Matches([]byte(c.shown)); got != c.want {
				t.Errorf("%s: %v", c.reason, got)
			}
		})
	}
}

func TestDigests(t *testing.T) {
	var all credential.Digests
	if all.Matches(nil) || all.String() != "" {
		t.Error("nobody has no digests")
	}
	for _, text := range []string{"1", "2", "3", "4", "4", "3", "4"} {
		all = all.With(credential.Of([]byte(text)))
	}
	all = credential.ParseAll("nonsense," + all.With(credential.Digest{}).String())
	for text, want := range map[string]bool{"1": false, "2": true, "3": true, "4": true, "": false} {
		if got := all.Matches([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParse(t *testing.T) {
	digest := credential.Of([]byte("x"))
	if got, ok := credential.Parse(digest.String()); !ok || got != digest {
		t.Errorf("what was written is not read: %v %v", got, ok)
	}
	for reason, text := range map[string]string{
		"nothing": "", "another scheme": "sha512:" + digest.String()[7:], "short": digest.String()[:70], "no digits": "sha256:" + strings.Repeat("x", 64),
	} {
		if got, ok := credential.Parse(text); ok || !got.IsZero() {
			t.Errorf("%s: %v", reason, got)
		}
	}
	if text := (credential.Digest{}).String(); text != "" {
		t.Errorf("the zero digest is written as %q", text)
	}
}
