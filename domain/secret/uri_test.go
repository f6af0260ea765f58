package secret_test

import (
	"testing"

	"github.com/machineadm/machineadm/domain/secret"
)

func TestPublicURI(t *testing.T) {
	for uri, want := range map[string]string{
		"":                                    "",
		"config.yaml":                         "config.yaml",
		"config.yaml?a#b":                     "config.yaml",
		"https://host":                        "https://host",
		"https://host/":                       "https://host/",
		"https://user:password@host/a?b=c#d":  "https://host/a",
		"https://user@name:password@host:1/a": "https://host:1/a",
		"https://host/a#token":                "https://host/a",
		"https://host#token?a":                "https://host",
		"s3://bucket/key@2":                   "s3://bucket/key@2",
	} {
		if got := secret.PublicURI(uri); got != want {
			t.Errorf("%q becomes %q, want %q", uri, got, want)
		}
	}
}
