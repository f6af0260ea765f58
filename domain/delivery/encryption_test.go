package delivery_test

import (
	"strings"
	"testing"

	"github.com/machineadm/machineadm/domain/delivery"
	"github.com/machineadm/machineadm/domain/secret"
)

func TestEncryptionCheck(t *testing.T) {
	const short, long = "canary7q9zk2xw5", "canary7q9zk2xw5v"
	file := func(passphrase string) delivery.Encryption {
		return delivery.Encryption{
			Provider: "file", PassphraseURI: "file:///etc/site",
			Passphrase: secret.FromString(passphrase),
		}
	}
	cases := map[string]struct {
		reason string
		given  delivery.Encryption
		want   string
	}{
		"nothing":     {},
		"long enough": {given: file(long)},
		"short":       {reason: "fewer than 128 bits are guessed", given: file(short), want: "p.passphrase"},
		"none":        {reason: "an empty one would be everybody's", given: file(""), want: "p.passphrase"},
		"few rounds": {
			given: delivery.Encryption{Provider: "aws-kms", Key: "k", Iterations: 49_999},
			want:  "p.iterations",
		},
		"many rounds": {reason: "the machine would refuse them", given: delivery.Encryption{
			Provider: "aws-kms", Key: "k",
			Iterations: 10_000_001,
		}, want: "p.iterations"},
		"a key of none": {given: delivery.Encryption{
			Provider: "file", Key: "k", PassphraseURI: "file:///etc/site",
			Passphrase: secret.FromString(long),
		}, want: "p.key"},
		"both": {
			reason: "the service makes one for each machine", want: "p.passphraseURI",
			given: delivery.Encryption{
				Provider: "aws-kms", Key: "k", PassphraseURI: "file:///a",
				Passphrase: secret.FromString(long),
			},
		},
		"no place": {
			given: delivery.Encryption{Provider: "file", Passphrase: secret.FromString(long)},
			want:  "p.passphraseURI",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			found := tc.given.Check("p")
			if found.HasErrors() != (tc.want != "") || tc.want != "" && !strings.Contains(found.String(),
				"error: "+tc.want+":") {
				t.Errorf("%s: found %s, want %q", tc.reason, found, tc.want)
			}
			if strings.Contains(found.String(), "canary") {
				t.Error("a finding shows the passphrase")
			}
		})
	}
}
