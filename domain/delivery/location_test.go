package delivery_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestLocationCheck(t *testing.T) {
	good := func() delivery.Location {
		return delivery.Location{
			URL: secret.FromString("https://s3.example/b/k?sig=canary7q9zk2xw5v"), SHA256: strings.Repeat("0a", 32),
			SHA512:  strings.Repeat("0b", 64),
			Headers: []delivery.Header{{Name: "X-Token", Value: secret.FromString("canary7q9zk2xw5v a")}},
		}
	}
	cases := map[string]struct {
		reason string
		change func(*delivery.Location)
		want   string
	}{
		"good": {"a signed URL and a header", func(*delivery.Location) {}, ""},
		"file": {
			"no machine has the file",
			func(l *delivery.Location) { l.URL = secret.FromString("file:///etc/canary7q9zk2xw5v") },
			"l.url: this is not an http or https URL",
		},
		"line": {
			"a line of its own could be anything",
			func(l *delivery.Location) { l.URL = secret.FromString("https://a/\ncanary7q9zk2xw5v") },
			"l.url: this is not an http or https URL",
		},
		"user": {
			"a URL is shown where a header is not",
			func(l *delivery.Location) { l.URL = secret.FromString("https://me:canary7q9zk2xw5v@a/") },
			"l.url: the URL contains a user name",
		},
		"no digest": {
			"nothing unverified", func(l *delivery.Location) { l.SHA256 = "" },
			"l.sha256: this is not a digest of 64 lower-case",
		},
		"upper case": {
			"one spelling", func(l *delivery.Location) { l.SHA512 = strings.ToUpper(l.SHA512) },
			"l.sha512: this is not a digest of 128 lower-case",
		},
		"header": {
			"no second header in it",
			func(l *delivery.Location) { l.Headers[0].Value = secret.FromString("canary7q9zk2xw5v\r\nHost: b") },
			"l.headers[0]: this is not an HTTP header",
		},
		"header name": {
			"a token of HTTP", func(l *delivery.Location) { l.Headers[0].Name = "X Token" },
			"l.headers[0]: this is not an HTTP header",
		},
		"twice": {"which would count", func(l *delivery.Location) {
			l.Headers = append(l.Headers, delivery.Header{Name: "x-token", Value: secret.FromString("a")})
		}, "l.headers[1]: the header \"x-token\" is set twice"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			l := good()
			tc.change(&l)
			found := l.Check("l")
			if tc.want == "" && len(found) > 0 || tc.want != "" &&
				(len(found) != 1 || !strings.Contains(found[0].String(), tc.want)) {
				t.Errorf("%s: %v", tc.reason, found)
			}
			if text := fmt.Sprintf("%v %v %+v %#v", found, l, l, l); strings.Contains(text, "canary7q9zk2xw5v") {
				t.Errorf("shown: %s", text)
			}
		})
	}
}

// TestFingerprint holds that whatever a machine fetches with changes the word, and that the bytes do not.
func TestFingerprint(t *testing.T) {
	base := func() delivery.Location {
		return delivery.Location{
			URL: secret.FromString("https://a/b?signature=canary7q9zk2xw5v"), CABundle: []byte("ca"), SHA256: "1",
			Headers: []delivery.Header{{Name: "a", Value: secret.FromString("b")}},
		}
	}
	same := base().Fingerprint()
	cases := map[string]struct {
		change func(*delivery.Location)
		same   bool
	}{
		"url":         {func(l *delivery.Location) { l.URL = secret.FromString("https://a/b?signature=another") }, false},
		"authority":   {func(l *delivery.Location) { l.CABundle = nil }, false},
		"header":      {func(l *delivery.Location) { l.Headers[0].Value = secret.FromString("c") }, false},
		"no header":   {func(l *delivery.Location) { l.Headers = nil }, false},
		"other bytes": {func(l *delivery.Location) { l.SHA256, l.SHA512 = "2", "3" }, true},
	}
	for name, c := range cases {
		l := base()
		c.change(&l)
		if got := l.Fingerprint(); (got == same) != c.same || len(got) != 16 {
			t.Errorf("%s: %q and %q", name, same, got)
		}
	}
	if got := (delivery.Location{}).Fingerprint(); got != "" {
		t.Errorf("no location has %q", got)
	}
}
