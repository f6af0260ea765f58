package secret_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/secret"
)

func TestCleanShapes(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"key": {
			reason: "a private key shows by its frame",
			in:     "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb", want: "a\n[redacted]\nb",
		},
		"half a key": {reason: "a log may end in it", in: "a -----BEGIN PRIVATE KEY-----\nMII", want: "a [redacted]"},
		"certificate": {
			reason: "a certificate is no secret", in: "-----BEGIN CERTIFICATE-----\nMII",
			want: "-----BEGIN CERTIFICATE-----\nMII",
		},
		"web token": {
			reason: "a service account's", in: "got eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl!",
			want: "got [redacted]!",
		},
		"header": {
			reason: "curl -v prints it", in: "> Authorization: Bearer abcDEF123456_-=",
			want: "> Authorization: Bearer [redacted]",
		},
		"kubeadm": {
			reason: "it opens the uploaded certificates",
			in:     "--certificate-key 0123456789abcdef0123456789abcdef", want: "--certificate-key [redacted]",
		},
		"token": {reason: "a bootstrap token", in: "--token abcdef.0123456789abcdef", want: "--token [redacted]"},
		"plain": {
			reason: "other text stays", in: "basic authentication failed: exit code 1",
			want: "basic authentication failed: exit code 1",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := secret.CleanShapes(c.in); got != c.want {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
			}
		})
	}
}
